// Zapier loads this file. The code is in src, and `npm run build` compiles it into dist.
module.exports = require('./dist/app.js').app;
