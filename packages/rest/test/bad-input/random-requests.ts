import * as fc from 'fast-check'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { startTarget, writes } from './start-target.ts'

const names = fc.oneof(
  fc.constantFrom(
    'filter',
    'where',
    'and',
    'or',
    'order',
    'limit',
    'fields',
    'include',
    'inq',
    'between',
    'like',
    'regexp',
    'near',
    'gt'
  ),
  fc.constantFrom(
    'text',
    'number',
    'at',
    'flag',
    'place',
    'texts',
    'nested',
    'parts',
    'anything',
    'secret',
    'id',
    'bytes'
  ),
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', '$gt', 'a.b', '0', '_format', 'callback', 'x'),
  fc.string({ maxLength: 5 })
)

const scalars = fc.oneof(
  fc.string({ maxLength: 10 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(null, '1,2', '{}', '[1]', '2020-02-31', '/(/')
)

const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    scalars.map((value) => JSON.stringify(value)),
    fc.array(tie('json'), { maxLength: 3 }).map((items) => `[${items.join()}]`),
    fc
      .array(fc.tuple(names, tie('json')), { maxLength: 4 })
      .map((entries) => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`)
  )
}))

const query = fc
  .array(fc.tuple(fc.array(names, { minLength: 1, maxLength: 4 }), fc.oneof(json, fc.string({ maxLength: 8 }))), {
    maxLength: 4
  })
  .map((parameters) =>
    parameters
      .map(([[first = '', ...rest], value]) => `${first}${rest.map((name) => `[${name}]`).join('')}=${value}`)
      .join('&')
  )

/** Percent sequences at random, some of them broken. */
const encoded = query.chain((text) =>
  fc.constantFrom(
    text,
    encodeURI(toWellFormed(text)),
    encodeURIComponent(toWellFormed(text)),
    text.replaceAll('e', '%65').replaceAll('t', '%ZZ')
  )
)

/** `encodeURI` takes no lone surrogates. */
function toWellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/g, '?')
}

const reads = fc.constantFrom(
  '/api/Things',
  '/api/Things/findOne',
  '/api/Things/count',
  '/api/Things/1',
  '/api/Things/1/exists'
)

const request: fc.Arbitrary<InjectOptions> = fc.oneof(
  fc.tuple(reads, encoded).map(([url, text]) => ({ method: 'GET' as const, url: `${url}?${text}` })),
  fc.tuple(fc.constantFrom(...writes), json, encoded).map(([write, payload, text]) => ({
    ...write,
    url: `${String(write.url).split('?', 1)[0] ?? ''}?${text}`,
    headers: { 'content-type': 'application/json' },
    payload
  })),
  fc.tuple(fc.constantFrom(...writes), encoded).map(([write, payload]) => ({
    ...write,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload
  })),
  fc.tuple(fc.constantFrom('text', 'anything', 'nested', 'a'), fc.string({ maxLength: 20 })).map(([name, text]) => ({
    method: 'POST' as const,
    url: '/api/Things',
    headers: { 'content-type': 'application/xml' },
    payload: `<r><${name}>${text}</${name}></r>`
  }))
)

const pristine = Object.getOwnPropertyNames(Object.prototype).join()

async function isAnsweredWell(app: FastifyInstance, options: InjectOptions, compat: boolean): Promise<boolean> {
  const { statusCode, headers, body } = await app.inject(options)
  if (statusCode >= 500 || statusCode < 200) return false
  if (compat || statusCode < 400 || !String(headers['content-type']).startsWith('application/json')) return true
  const { error, code } = JSON.parse(body) as { error: { code?: unknown }; code?: unknown }
  return typeof (code ?? error.code) === 'string'
}

const modes = { 'native mode': {}, 'compat mode': { compat: true }, 'version 2': { compat: true, version: 2 } } as const

/** Sends `numRuns` requests at random in each mode. */
export function testRandomRequests(t: Test, numRuns: number): void {
  for (const [title, core] of Object.entries(modes))
    t.test(`whatever is sent in ${title} is answered by a success or an error of the client`, async (inner) => {
      const app = await startTarget(inner, {}, core)
      await fc.assert(
        fc.asyncProperty(request, (options) => isAnsweredWell(app, options, 'compat' in core)),
        { numRuns }
      )
      inner.equal(Object.getOwnPropertyNames(Object.prototype).join(), pristine)
    })
}
