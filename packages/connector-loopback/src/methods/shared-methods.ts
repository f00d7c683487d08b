// LB3: the methods that a persisted model shares, as far as its records are reached by them; lib/persisted-model.js.

const id = { arg: 'id', type: 'any', required: true, http: { source: 'path' } }
const data = { arg: 'data', type: 'object', http: { source: 'body' } }
const record = { arg: 'data', type: 'object', root: true }

/** What a server with LoopBack's REST API answers for every persisted model. */
export const sharedMethods: Readonly<Record<string, object>> = {
  create: { accepts: [data], returns: record, http: { verb: 'post', path: '/' } },
  find: {
    accepts: [{ arg: 'filter', type: 'object' }],
    returns: { arg: 'data', type: ['object'], root: true },
    http: { verb: 'get', path: '/' }
  },
  findById: {
    accepts: [id, { arg: 'filter', type: 'object' }],
    returns: record,
    http: { verb: 'get', path: '/:id' }
  },
  count: {
    accepts: [{ arg: 'where', type: 'object' }],
    returns: { arg: 'count', type: 'number' },
    http: { verb: 'get', path: '/count' }
  },
  replaceById: { accepts: [id, data], returns: record, http: { verb: 'post', path: '/:id/replace' } },
  deleteById: {
    aliases: ['destroyById', 'removeById'],
    accepts: [id],
    returns: { arg: 'count', type: 'object', root: true },
    http: { verb: 'del', path: '/:id' }
  },
  'prototype.patchAttributes': {
    aliases: ['updateAttributes'],
    accepts: [data],
    returns: record,
    http: { verb: 'patch', path: '/' }
  }
}
