import fastify, { type FastifyInstance } from 'fastify'
import { DefinitionError, modelwire } from '@modelwire/core'
import t from 'tap'
import * as errors from '#src/errors.ts'
import { rest } from '#src/index.ts'
import { type Attack, startTarget } from './bad-input/start-target.ts'

const post = (type: string, payload: string, more: Record<string, string> = {}): Omit<Attack, 'title'> => ({
  method: 'POST',
  url: '/api/Things',
  headers: { 'content-type': type, ...more },
  payload
})

/** A request that provokes each error. */
const requests: Readonly<Record<string, Omit<Attack, 'title'>>> = {
  BODY_INVALID: { ...post('application/json', '{'), status: 400 },
  BODY_ENCODING_INVALID: { ...post('application/json', '{}', { 'content-encoding': 'gzip' }), status: 400 },
  PAYLOAD_TOO_LARGE: { ...post('application/x-www-form-urlencoded', 'a=1&'.repeat(2000)), status: 413 },
  MEDIA_TYPE_UNSUPPORTED: { ...post('text/plain', 'x'), status: 415 },
  XML_REFUSED: { ...post('application/xml', '<!DOCTYPE a><a/>'), status: 400 },
  ROUTE_NOT_FOUND: { method: 'GET', url: '/api/Nothing', status: 404 }
}

t.test('every error of a request is answered with its status and code', async (t) => {
  const app = await startTarget(t)
  for (const [code, { status, ...request }] of Object.entries(requests)) {
    const answer = await app.inject(request)
    t.equal(answer.statusCode, status, code)
    t.match(answer.json(), { error: { statusCode: status, code } })
  }
})

t.test('codes that LoopBack does not send are left out in compat mode', async (t) => {
  const app = await startTarget(t, {}, { compat: true })
  const { status: _status, ...request } = requests['BODY_INVALID'] ?? {}
  t.strictSame(Object.keys((await app.inject(request)).json<{ error: object }>().error), [
    'statusCode',
    'name',
    'message'
  ])
})

async function registerTwice(app: FastifyInstance): Promise<void> {
  await app.register(modelwire, {})
  await app.register(
    async (scope) => {
      scope.setNotFoundHandler(() => 'mine')
      await scope.register(rest)
    },
    { prefix: '/api' }
  )
}

t.test('a second owner of the unknown paths under one prefix is refused by a code', async (t) => {
  const app = fastify()
  t.teardown(() => app.close())
  await t.rejects(registerTwice(app), { code: 'NOT_FOUND_HANDLER_TAKEN', where: { key: 'notFound' } })
})

t.test(
  'access rules that nothing enforces end the start, and are a warning where LoopBack is answered like',
  async (t) => {
    const acls = [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' as const }]
    const start = async (compat: boolean): Promise<unknown[]> => {
      const app = fastify()
      t.teardown(() => app.close())
      const warned: unknown[] = []
      app.log.warn = (message: unknown) => void warned.push(message)
      await app.register(modelwire, { models: [{ name: 'Note', public: true, acls }], compat })
      await app.register(rest)
      return warned
    }
    await t.rejects(start(false), { code: 'ACCESS_RULES_UNENFORCED', where: { model: 'Note', key: 'acls' } })
    t.match(await start(true), [/the access rules are not enforced/])
  }
)

t.test('no class of errors is left out', async (t) => {
  // Tested in test/streams, test/batch and test/idempotency; InvalidAnswer needs a method, in test/output.
  const ofStreams = [errors.StreamRightsChanged, errors.TooManyStreams, errors.ServerStreamsFull]
  const { InvalidBatch, BatchSpansDataSources, BatchRolledBack, DependencyFailed, ClientLeft } = errors
  const ofBatches = [InvalidBatch, BatchSpansDataSources, BatchRolledBack, DependencyFailed, ClientLeft]
  const { IdempotencyKeyInUse, IdempotencyKeyReused, IdempotencyAnswerNotKept, TooManyIdempotencyKeys } = errors
  const ofKeys = [IdempotencyKeyInUse, IdempotencyKeyReused, IdempotencyAnswerNotKept, TooManyIdempotencyKeys]
  const others: readonly unknown[] = [errors.BodyError, errors.InvalidAnswer, ...ofStreams, ...ofBatches, ...ofKeys]
  const concrete = Object.values(errors).filter((error) => !others.includes(error))
  const definitions = concrete.filter((error) => error.prototype instanceof DefinitionError)
  t.equal(Object.keys(requests).length, concrete.length - definitions.length)
  t.equal(definitions.length, 4)
})

const wrongOptions: readonly (readonly [options: object, key: string])[] = [
  [{ xml: { limit: 'much' } }, 'xml.limit'],
  [{ json: { size: 1 } }, 'json.size'],
  [{ answerXml: true }, 'answerXml'],
  [{ answersXml: 'yes' }, 'answersXml'],
  [{ sharedMethods: { find: 'no' } }, 'sharedMethods.find'],
  [{ errors: { debugging: true } }, 'errors.debugging'],
  [{ query: { depth: 0 } }, 'query.depth'],
  [{ query: { depths: 3 } }, 'query.depths']
]

t.test('unknown and malformed options are refused by name', async (t) => {
  for (const [options, key] of wrongOptions) {
    const error = { code: 'OPTION_INVALID', where: { key } }
    await t.rejects(startTarget(t, options), error, JSON.stringify(options))
  }
})
