import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { bootApp, type Files } from '../make-app.ts'

/** A model of a LoopBack application: its file, its script, and what `model-config.json` says of it. */
export interface LoopbackModel {
  readonly file?: Readonly<Record<string, unknown>>
  readonly script?: string
  readonly config?: Readonly<Record<string, unknown>>
}

/** A request such as `POST /Things {"label":"a"}`, the status, and the body where there is one: what LoopBack 3.28 answered. */
export type Exchange = readonly [request: string, status: number, body?: unknown]

/** The files of an application with these models, all of them public and in memory. */
export function filesOf(models: Readonly<Record<string, LoopbackModel>>): Files {
  const entries = Object.entries(models)
  const config = entries.map(([name, model]) => [name, { dataSource: 'db', public: true, ...model.config }])
  return {
    'server/model-config.json': { _meta: { sources: ['../common/models'] }, ...Object.fromEntries(config) },
    ...Object.fromEntries(
      entries.flatMap(([name, { file, script }]): (readonly [string, unknown])[] => [
        [`common/models/${name.toLowerCase()}.json`, { name, base: 'PersistedModel', ...file }],
        ...(script === undefined ? [] : [[`common/models/${name.toLowerCase()}.js`, script] as const])
      ])
    )
  }
}

/** Boots an application and sends it requests, one after the other; each has to be answered as LoopBack answered it. */
export async function answersAsLoopback(
  t: Test,
  models: Readonly<Record<string, LoopbackModel>>,
  exchanges: readonly Exchange[],
  files: Files = {}
): Promise<FastifyInstance> {
  const server = await bootApp(t, { ...filesOf(models), ...files })
  for (const [request, status, body] of exchanges) {
    const [method = '', url = '', ...rest] = request.split(' ')
    const payload = rest.join(' ')
    const answer = await server.inject({
      method: method as 'GET', // the tables hold methods of HTTP
      url: `/api${url}`,
      ...(payload === '' ? {} : { payload, headers: { 'content-type': 'application/json' } })
    })
    t.equal(answer.statusCode, status, `${request}: ${answer.body}`)
    if (body !== undefined) t.same(answer.body === '' ? undefined : answer.json(), body, request)
  }
  return server
}
