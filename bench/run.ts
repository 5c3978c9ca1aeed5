import { ingressFigure } from './figures/ingress.ts';

console.log(
  (await ingressFigure({ rounds: Number(process.argv[2] ?? 3), seconds: Number(process.argv[3] ?? 8) }))
    .table,
);
