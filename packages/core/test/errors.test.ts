import { InvalidOption } from '@modelwire/server'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import * as connectorApi from '#src/connector-api.ts'
import type { QueryOptions } from '#src/contract/call.ts'
import * as api from '#src/index.ts'
import * as databaseErrors from '#src/connector/errors.ts'
import * as definitionErrors from '#src/definition/errors.ts'
import * as errors from '#src/errors.ts'
import { RemoteHooks } from '#src/operations/remote-hooks.ts'
import { runOperation } from '#src/operations/run-operation.ts'
import * as pluginApi from '#src/plugin-api.ts'
import { withinTime } from '#src/connector/run-transaction.ts'
import { compileMethod } from '#src/operations/compile-method.ts'
import { buildModels } from './build-models.ts'

const core = { ...api, ...pluginApi, ...connectorApi, ...errors, ...definitionErrors, ...databaseErrors, InvalidOption }
const {
  ApiError,
  BadRequest,
  AmbiguousDataSource,
  DataSourceUnavailable,
  DefinitionError,
  defineModel,
  ModelRegistry
} = core

const makeRegistry = () =>
  buildModels([
    {
      name: 'Book',
      hidden: ['cost'],
      properties: { title: 'string', cost: 'number', tags: ['string'], anything: 'any' }
    },
    { name: 'Strict', strict: true },
    { name: 'Detached', dataSource: null }
  ])

t.test('an error of the application has the status, code and details that it gives', (t) => {
  const error = ApiError.of('the room is taken', { statusCode: 409, code: 'ROOM_TAKEN', details: { until: 10 } })
  t.match(error, { message: 'the room is taken', statusCode: 409, code: 'ROOM_TAKEN', details: { until: 10 } })
  t.ok(error instanceof ApiError)
  t.end()
})

const makeBook = () => makeRegistry().get('Book')
const client: QueryOptions = { prohibitHiddenPropertiesInQuery: true, maxDepthOfQuery: 3 }
const define = (definition: object) => new ModelRegistry().define({ name: 'Note', ...definition })

const related = (relation: api.RelationDefinition) => buildModels([{ name: 'Book', relations: { one: relation } }])

function sealed(): api.ModelRegistry {
  const registry = makeRegistry()
  registry.seal()
  return registry
}

const missingOperation = () => {
  const model = makeRegistry().typeOf('Book')
  const operation = { ...compileMethod(model, 'lend', {}), loadInstance: async () => undefined }
  return runOperation(core.compileOperation(operation, [], new RemoteHooks()), new core.OperationContext(operation))
}

/** How a request, or code, provokes each error. */
const requests: Readonly<Record<string, () => unknown>> = {
  BAD_REQUEST: () => {
    throw new BadRequest('the base of the others')
  },
  INVALID_ARGUMENT: () => makeBook().findById(null),
  INVALID_FILTER: () => makeBook().find({ limit: -1 }),
  INVALID_CURSOR: () => makeBook().find({ after: 'no cursor' }),
  HIDDEN_PROPERTY_IN_FILTER: () => makeBook().find({ where: { cost: 1 } }, client),
  OPERATOR_NOT_ALLOWED_IN_QUERY: () => makeBook().find({ where: { title: { $gt: 1 } } }),
  LIMIT_EXCEEDED: () => makeBook().create({ anything: '['.repeat(100) + ']'.repeat(100) }),
  INVALID_PATTERN: () => makeBook().find({ where: { title: { regexp: '/(/' } } }),
  INVALID_VALUE: () => makeBook().create({ tags: 'none' }),
  PROPERTY_NAME_REFUSED: () => makeBook().create({ anything: '{"constructor":1}' }),
  TEXT_NOT_WELL_FORMED: () => makeBook().create({ anything: String.raw`["\ud800"]` }),
  ID_MISMATCH: async () => (await makeBook().create({})).patchAttributes({ id: 2 }),
  SEVERAL_MATCHES: async () => {
    const Book = makeBook()
    await Book.create([{ title: 'a' }, { title: 'a' }])
    return Book.upsertWithWhere({ title: 'a' }, { title: 'b' })
  },
  MODEL_NOT_FOUND: missingOperation,
  RECORD_NOT_FOUND: () => makeBook().replaceById(1, {}),
  DUPLICATE_KEY: async () => {
    const Book = buildModels([{ name: 'Book', forceId: false }]).get('Book')
    await Book.create({ id: 1 })
    return Book.create({ id: 1 })
  },
  TRANSACTION_TIMEOUT: () => withinTime(async () => new Promise(() => {}), 0),
  ANSWER_TOO_LARGE: async () => {
    const { modelClass, collection } = makeRegistry().typeOf('Book')
    await modelClass.create([{}, {}])
    const atMost = { rows: 1, bytes: Infinity, options: { rows: 'most.rows', bytes: 'most.bytes' } }
    return collection?.find({ order: [], skip: 0, atMost })
  },
  NOT_IMPLEMENTED: () => makeRegistry().get('Detached').find(),
  DATA_SOURCE_UNAVAILABLE: () => {
    throw new DataSourceUnavailable('thrown by connectors')
  },
  DATA_SOURCE_AMBIGUOUS: () => {
    throw new AmbiguousDataSource('see the test of transactions')
  },
  ISOLATION_LEVEL_UNKNOWN: () => core.readIsolation('best'),
  ...Object.fromEntries(
    [core.ValueRefused, core.ConstraintViolated, core.TransactionConflict, core.TransactionOver].map((Thrown) => {
      const error = new Thrown('thrown by connectors')
      return [error.code, () => Promise.reject(error)]
    })
  ),
  VALIDATION_FAILED: () => makeRegistry().get('Strict').create({ more: 1 }),
  LIST_NOT_VALID: () =>
    makeRegistry()
      .get('Strict')
      .create([{}, { more: 1 }])
}

const definitions: Readonly<Record<string, () => unknown>> = {
  MODEL_DEFINITION_INVALID: () => define({ hidden: true }),
  PROPERTY_NAME_HAS_DOT: () => define({ properties: { 'a.b': 'string' } }),
  MODEL_NAME_RESERVED: () => define({ name: 'File' }),
  PROPERTY_TYPE_UNKNOWN: () => defineModel('Note', Type.Object({ value: Type.BigInt() })),
  BASE_MODEL_UNKNOWN: () => define({ base: 'Nowhere' }),
  MIXIN_UNKNOWN: () => define({ mixins: { Nothing: true } }),
  DATA_SOURCE_UNKNOWN: () => makeRegistry().attach('Book', 'nowhere'),
  MODEL_DEFINED_TWICE: () => makeRegistry().define({ name: 'Book' }),
  MODEL_UNKNOWN: () => makeRegistry().get('Nobody'),
  RELATION_INVALID: () => related({ type: 'hasMany', model: 'Book', onDelete: 'vanish' }).relations.complete(),
  RELATION_TARGET_MISSING: () => related({ type: 'belongsTo', model: 'Nowhere' }).seal(),
  REGISTRY_SEALED: () => sealed().define({ name: 'Note' }),
  OPTION_INVALID: () => buildModels([], { version: 4 as never })
}

t.test(
  'every error of a request is an ApiError with its code and a status of the client or of the service',
  async (t) => {
    for (const [code, provoke] of Object.entries(requests)) {
      await t.rejects(async () => provoke(), { code }, code)
      const error = await caught(provoke)
      t.ok(error instanceof ApiError && error.statusCode >= 400 && error.statusCode <= 503, code)
      t.equal(
        Object.hasOwn(error ?? {}, 'stack') && String((error as Error).stack).includes('\n    at '),
        false,
        'no stack is made'
      )
    }
  }
)

t.test('every error of a definition is a DefinitionError', async (t) => {
  for (const [code, provoke] of Object.entries(definitions)) {
    await t.rejects(async () => provoke(), { code, statusCode: 500 }, code)
    t.ok((await caught(provoke)) instanceof DefinitionError, code)
  }
})

async function caught(provoke: () => unknown): Promise<unknown> {
  try {
    return void (await provoke())
  } catch (error) {
    return error
  }
}

/** What connectors throw, and are tested for. */
const ofConnectors = [
  'CONSTRAINT_VIOLATED',
  'DATABASE_FAILED',
  'DATABASE_FULL',
  'DATABASE_PERMISSION_DENIED',
  'LOCK_OUTSIDE_TRANSACTION',
  'MIGRATION_FAILED',
  'MIGRATION_LOCKED',
  'MIGRATION_PLAN_CHANGED',
  'NUMBER_NOT_REPRESENTABLE',
  'STATEMENT_CANCELLED',
  'STATEMENT_TIMEOUT',
  'TRANSACTION_ABORTED',
  'TRANSACTION_CONFLICT',
  'TRANSACTION_OVER',
  'VALUE_REFUSED'
]

t.test('no class of errors is left out', async (t) => {
  const classes = Object.values(core).filter((value) => typeof value === 'function' && value.prototype instanceof Error)
  // A connection that takes too long, and a login that is refused, have the code of every other that cannot be had.
  const withoutOwnCode = [ApiError, DefinitionError, core.ConnectionTimeout, core.AccessRefused]
  // Tested with sums, with tables of keys of several columns, with readers of changes and of their log, and with requests that state what they have seen.
  const elsewhere = [
    'AGGREGATE_NOT_ALLOWED',
    'INVALID_AGGREGATE',
    'KEY_INCOMPLETE',
    'CHANGE_READER_TOO_SLOW',
    'CURSOR_AMBIGUOUS',
    'LOG_POSITION_UNKNOWN',
    'PRECONDITION_FAILED',
    'PRECONDITION_REQUIRED',
    'TOO_MANY_AFFECTED'
  ]
  const provoked = [...Object.keys(requests), ...Object.keys(definitions), ...elsewhere, ...ofConnectors]
  t.equal(new Set(provoked).size, classes.length - withoutOwnCode.length)
})

t.test('a class with facts is the class of its errors, and has what its base has', async (t) => {
  class RoomTaken extends BadRequest.with({ code: 'ROOM_TAKEN', hidesCode: false }) {}
  class RoomGone extends DefinitionError.with({ code: 'ROOM_GONE' }) {
    readonly room = 'red'
  }
  const taken = new RoomTaken('taken', { details: 1 })
  const code: 'ROOM_TAKEN' = taken.code
  t.ok(taken instanceof RoomTaken && taken instanceof BadRequest && taken instanceof ApiError && taken instanceof Error)
  t.notOk(new BadRequest('no room') instanceof RoomTaken)
  t.match(taken, { name: 'Error', message: 'taken', code, statusCode: 400, hidesCode: false, details: 1 })
  t.same([taken.constructor.name, Object.keys(taken).includes('code')], ['RoomTaken', true])
  const gone = new RoomGone('gone', { file: 'a.json' })
  t.match(gone, { name: 'RoomGone', message: 'gone (a.json)', code: 'ROOM_GONE', statusCode: 500, room: 'red' })
  // @ts-expect-error the status is missing
  t.equal(new (class extends ApiError.with({ code: 'NO_STATUS' }) {})('none').statusCode, undefined)
})

t.test('an error keeps its cause and details', async (t) => {
  const cause = new TypeError('inner')
  const error = new BadRequest('outer', { cause, details: { a: 1 } })
  t.match(error, { name: 'Error', message: 'outer', cause, details: { a: 1 } })
  t.match(new BadRequest('plain'), { details: undefined, cause: undefined })
})

t.test('the place of a definition is part of its message', async (t) => {
  const places: readonly (readonly [where: object, message: string])[] = [
    [{}, 'wrong'],
    [{ model: 'Note' }, 'wrong (model Note)'],
    [{ file: 'a.json', model: 'Note', key: 'hidden' }, 'wrong (a.json, model Note, key hidden)']
  ]
  for (const [where, message] of places) t.match(new core.InvalidDefinition('wrong', where), { message, where })
})

t.test('an error as JSON has its facts, and nothing that is only for this suite', (t) => {
  const json = (error: Error): unknown => JSON.parse(JSON.stringify(error))
  t.strictSame(json(new core.RecordNotFound('no Book has the id 7')), { statusCode: 404, code: 'RECORD_NOT_FOUND' })
  const details = { context: 'Book', codes: { title: ['presence'] }, messages: { title: ["can't be blank"] } }
  t.strictSame(json(new core.ValidationError(details)), {
    name: 'ValidationError',
    statusCode: 422,
    code: 'VALIDATION_FAILED',
    details
  })
  t.end()
})
