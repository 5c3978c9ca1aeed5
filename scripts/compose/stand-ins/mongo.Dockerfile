# In place of mongo:8.0 where it cannot be pulled: the embedded store of the test image.
ARG TEST_IMAGE=sluice-test
FROM ${TEST_IMAGE}
USER root
COPY mongod mongosh /usr/local/bin/
VOLUME ["/data/db", "/data/configdb"]
CMD ["mongod"]
