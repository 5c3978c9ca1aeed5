# In place of redis:7.4 where it cannot be pulled: Debian's Redis 7.0.
FROM node:26-slim
RUN apt-get -o APT::Sandbox::User=root update \
 && apt-get -o APT::Sandbox::User=root install --yes --no-install-recommends redis-server redis-tools \
 && rm -rf /var/lib/apt/lists/*
COPY redis-entrypoint /usr/local/bin/
WORKDIR /data
VOLUME /data
ENTRYPOINT ["redis-entrypoint"]
CMD ["redis-server"]
