// Servers of Node, a port each. Arguments: a JSON array of [kind, options, port].
// Rules: "R" for /admin itself, "A" for what is below it, "O" for all else.
'use strict';
const http = require('http');

const segments = (path) => path === '/admin' ? 'R' : path.startsWith('/admin/') ? 'A' : 'O';
const cut = (text) => text.split('?', 1)[0];
const send = (res, text) => {
  const octets = Buffer.from(text, 'utf8');
  res.writeHead(200, { 'content-length': octets.length });
  res.end(octets);
};

const kinds = {
  // req.url is a string of the octets: one character each
  url: () => (req, res) => {
    const path = cut(req.url);
    const octets = Buffer.from(segments(path) + path + '\0raw\0' + req.url, 'latin1');
    res.writeHead(200, { 'content-length': octets.length });
    res.end(octets);
  },
  URL: () => (req, res) => {
    let path;
    try {
      path = new URL(req.url, 'http://h.example').pathname;
    } catch {
      res.writeHead(400, { 'content-length': 0 });
      return res.end();
    }
    send(res, segments(path) + path);
  },
  express: (options) => {
    const express = require(options.package || 'express');
    const parseurl = require('parseurl');
    const app = express();
    for (const [name, value] of Object.entries(options)) if (name !== 'package') app.set(name, value);
    const says = (letter) => (req, res) => send(res, letter + parseurl.original(req).pathname);
    app.all('/admin', says('R'));
    app.use('/admin', says('A'));
    app.use(says('O'));
    app.use((error, req, res, next) => { res.statusCode = error.status || 500; res.end(); });
    return app;
  },
  hono: (options) => {
    const { Hono } = require('hono');
    const { getRequestListener } = require('@hono/node-server');
    const app = new Hono(options);
    const says = (letter) => (c) => c.body(letter + c.req.path);
    app.get('/admin', says('R'));
    app.get('/admin/*', says('A'));
    app.notFound((c) => c.body('O' + c.req.path, 200));
    return getRequestListener(app.fetch, { overrideGlobalObjects: false });
  },
};

// fastify matches on what its router, find-my-way, makes of req.url before it looks for a route
async function fastify(options, port) {
  const Router = require('find-my-way');
  const { safeDecodeURI } = require('find-my-way/lib/url-sanitizer');
  const app = require('fastify')({ routerOptions: options });
  const path = (url) => {
    let text = url.startsWith('/') ? url : url.replace(/^[^:]*:\/\/[^/?#]*/, '');
    text = safeDecodeURI(text, options.useSemicolonDelimiter).path;
    if (options.ignoreDuplicateSlashes) text = Router.removeDuplicateSlashes(text);
    return options.ignoreTrailingSlash ? Router.trimLastSlash(text) : text;
  };
  const says = (letter) => (req, reply) => {
    reply.code(200).send(Buffer.from(letter + path(req.raw.url), 'utf8'));
  };
  app.get('/admin', says('R'));
  app.get('/admin/*', says('A'));
  // not setNotFoundHandler: that one has a router of its own, without the options
  app.get('/*', says('O'));
  await app.listen({ host: '127.0.0.1', port });
}

for (const [kind, options, port] of JSON.parse(process.argv[2])) {
  if (kind === 'fastify') {
    fastify(options, port);
  } else {
    const server = http.createServer(kinds[kind](options));
    server.keepAliveTimeout = 0;
    server.listen(port, '127.0.0.1');
  }
}
