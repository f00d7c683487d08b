import { ApiError, DuplicateKey, ModelNotFound, RecordNotFound, ValidationError } from '@modelwire/core'
import { LimitExceeded } from '@modelwire/core/plugin'
import t from 'tap'
import { InvalidBody } from '#src/errors.ts'
import type { ErrorOptions } from '#src/options.ts'
import type { ErrorRules } from '#src/output/error-body.ts'
import { answerTo } from '../fixtures/with-defaults.ts'

const validation = new ValidationError({
  context: 'P',
  codes: { title: ['presence'] },
  messages: { title: ['is blank'] }
})
const failed = (fields: object, message = 'm'): Error => Object.assign(new Error(message), fields)
const missing = failed({ statusCode: 404, code: 'MISSING', details: { id: 3 }, extra: 'hidden?' })
const busy = failed({ statusCode: 503, code: 'BUSY', details: { wait: 3 } })

/** The body as a client sees it, without the stack. */
function tell(thrown: unknown, options?: ErrorOptions, rules?: Partial<ErrorRules>): unknown {
  const { body } = answerTo(thrown, options, rules)
  return JSON.parse(JSON.stringify(body), (key, value: unknown) => (key === 'stack' ? undefined : value))
}

function told(thrown: unknown, options?: ErrorOptions, rules?: Partial<ErrorRules>): unknown {
  return (tell(thrown, options, rules) as { error: unknown }).error
}

const production: readonly (readonly [thrown: unknown, status: number, facts: unknown])[] = [
  [failed({}), 500, { statusCode: 500, message: 'Internal Server Error' }],
  [failed({ status: 402 }), 402, { statusCode: 402, name: 'Error', message: 'm' }],
  [missing, 404, { statusCode: 404, name: 'Error', message: 'm', code: 'MISSING', details: { id: 3 } }],
  [busy, 503, { statusCode: 503, message: 'Service Unavailable' }],
  [failed({ name: 'CustomError', statusCode: 400 }), 400, { statusCode: 400, name: 'CustomError', message: 'm' }],
  [failed({ statusCode: 200 }), 500, { statusCode: 500, message: 'Internal Server Error' }],
  [failed({ statusCode: '400' }), 400, { statusCode: '400', name: 'Error', message: 'm' }],
  [failed({ statusCode: 0, status: 404 }), 404, { statusCode: 404, name: 'Error', message: 'm' }],
  [failed({ statusCode: 410, status: 404 }), 410, { statusCode: 410, name: 'Error', message: 'm' }],
  [failed({ statusCode: 599 }), 599, { statusCode: 599, message: 'Unknown Error' }],
  [failed({ statusCode: 600 }), 500, { statusCode: 500, message: 'Internal Server Error' }],
  [failed({ statusCode: 'abc' }), 500, { statusCode: 500, message: 'Internal Server Error' }],
  [failed({ statusCode: 404.5 }), 500, { statusCode: 500, message: 'Internal Server Error' }],
  [
    { statusCode: 400, message: 'p', code: 'PLAIN', details: [1], name: 'Odd' },
    400,
    { statusCode: 400, name: 'Odd', message: 'p', code: 'PLAIN', details: [1] }
  ],
  [{ statusCode: 400 }, 400, { statusCode: 400 }],
  [{ message: 'plain' }, 500, { statusCode: 500, message: 'Internal Server Error' }],
  [
    { statusCode: 404, message: 5, code: null, details: null },
    404,
    { statusCode: 404, message: 5, code: null, details: null }
  ],
  ['just text', 500, { statusCode: 500, message: 'Internal Server Error' }],
  [17, 500, { statusCode: 500, message: 'Internal Server Error' }],
  [null, 500, { statusCode: 500, message: 'Internal Server Error' }],
  [undefined, 500, { statusCode: 500, message: 'Internal Server Error' }],
  [Symbol('x'), 500, { statusCode: 500, message: 'Internal Server Error' }],
  [new ModelNotFound('none'), 404, { statusCode: 404, name: 'Error', message: 'none', code: 'MODEL_NOT_FOUND' }],
  [
    new DuplicateKey('P', 'id', 1),
    409,
    {
      statusCode: 409,
      name: 'Error',
      message: 'P already has a record with id 1',
      code: 'DUPLICATE_KEY',
      details: { properties: ['id'] }
    }
  ],
  [
    new InvalidBody('bad', { body: '{' }),
    400,
    { statusCode: 400, name: 'SyntaxError', message: 'bad', code: 'BODY_INVALID' }
  ]
]

t.test('4xx errors tell five fields, 5xx errors the standard phrase', async (t) => {
  for (const [thrown, status, facts] of production) {
    t.equal(answerTo(thrown).statusCode, status)
    t.strictSame(told(thrown), facts)
  }
})

t.test('a list of errors is a 500 with each by the same rules', async (t) => {
  const list = [failed({ statusCode: 400, code: 'ONE' }), failed({ statusCode: 422 }), failed({}), 'x', null]
  const { details, ...rest } = told(list) as { details: unknown; statusCode: number; message: string }
  t.equal(rest.statusCode, 500)
  t.type(rest.message, 'string')
  t.strictSame(details, [
    { statusCode: 400, name: 'Error', message: 'm', code: 'ONE' },
    { statusCode: 422, name: 'Error', message: 'm' },
    { statusCode: 500, message: 'Internal Server Error' },
    { statusCode: 500, message: 'Internal Server Error' },
    null
  ])
})

t.test('errors inside details are told by the same rules', async (t) => {
  const lists = ApiError.of('none was stored', { statusCode: 422, code: 'LIST_NOT_VALID', details: [null, validation] })
  const item = { statusCode: 422, name: 'ValidationError', message: validation.message, details: validation.details }
  t.match(told(lists, {}, { hidesOwnCodes: true }), {
    statusCode: 422,
    details: [null, item]
  })
})

t.test('hidesOwnCodes leaves out the codes that LoopBack does not send', async (t) => {
  const hiding = { hidesOwnCodes: true }
  t.strictSame(told(new RecordNotFound('none'), {}, hiding), { statusCode: 404, name: 'Error', message: 'none' })
  t.strictSame(told(new InvalidBody('bad'), {}, hiding), { statusCode: 400, name: 'SyntaxError', message: 'bad' })
  t.match(told(new ModelNotFound('none'), {}, hiding), { code: 'MODEL_NOT_FOUND' })
  t.match(told(new LimitExceeded('no'), {}, hiding), { code: 'LIMIT_EXCEEDED' })
  t.match(told(missing, {}, hiding), { code: 'MISSING' })
})

t.test('safeFields are shown, of errors of the server too', async (t) => {
  const options = { safeFields: ['extra', 'code'] }
  t.match(told(missing, options), { extra: 'hidden?', code: 'MISSING' })
  t.strictSame(told(busy, options), { statusCode: 503, message: 'Service Unavailable', code: 'BUSY' })
  t.strictSame(told(failed({}), options), { statusCode: 500, message: 'Internal Server Error' })
})

const debugged: readonly (readonly [thrown: unknown, facts: object])[] = [
  [failed({}), { statusCode: 500, name: 'Error', message: 'm' }],
  [failed({ status: 402 }), { statusCode: 402, name: 'Error', message: 'm', status: 402 }],
  [missing, { statusCode: 404, name: 'Error', message: 'm', code: 'MISSING', details: { id: 3 }, extra: 'hidden?' }],
  [busy, { statusCode: 503, name: 'Error', message: 'm', code: 'BUSY', details: { wait: 3 } }],
  [{ message: 'plain' }, { statusCode: 500, message: 'plain' }],
  ['just text', { statusCode: 500, message: 'just text' }],
  [new TypeError('sync'), { statusCode: 500, name: 'TypeError', message: 'sync' }],
  [Object.create({ statusCode: 400, z: 1 }), { statusCode: 400, z: 1 }],
  [failed({ fn() {}, headers: { a: 'b' } }), { statusCode: 500, name: 'Error', message: 'm', headers: { a: 'b' } }],
  [
    new DuplicateKey('P', 'id', 1),
    { statusCode: 409, name: 'Error', message: 'P already has a record with id 1', status: 409 }
  ],
  [
    Object.assign(new ModelNotFound('n'), { status: 404 }),
    { statusCode: 404, name: 'Error', message: 'n', status: 404, code: 'MODEL_NOT_FOUND' }
  ],
  [
    new InvalidBody('bad', { body: '{' }),
    {
      statusCode: 400,
      name: 'SyntaxError',
      message: 'bad',
      expose: true,
      status: 400,
      body: '{',
      type: 'entity.parse.failed'
    }
  ],
  [validation, { statusCode: 422, name: 'ValidationError', message: validation.message, details: validation.details }]
]

t.test('debug tells everything, of our own errors what LoopBack has', async (t) => {
  for (const [thrown, facts] of debugged) {
    t.strictSame(told(thrown, { debug: true }, { hidesOwnCodes: true }), facts)
    const { stack } = answerTo(thrown, { debug: true }).facts
    if (thrown instanceof Error) t.match(stack, thrown.message)
  }
})

t.test('the root property has another name, or none', async (t) => {
  t.strictSame(tell(failed({}), { rootProperty: 'fault' }), {
    fault: { statusCode: 500, message: 'Internal Server Error' }
  })
  t.strictSame(tell(failed({}), { rootProperty: false }), { statusCode: 500, message: 'Internal Server Error' })
})

const version2: readonly (readonly [thrown: unknown, status: number, facts: unknown])[] = [
  [failed({ status: 409 }), 409, { name: 'Error', status: 409, message: 'm' }],
  [failed({ statusCode: 410 }), 410, { name: 'Error', status: 410, message: 'm', statusCode: 410 }],
  [failed({ status: 402, statusCode: 403 }), 403, { name: 'Error', status: 402, message: 'm', statusCode: 403 }],
  [failed({}), 500, { name: 'Error', status: 500, message: 'm' }],
  ['text', 500, { name: 'Error', status: 500, message: 'text', statusCode: 500 }],
  [
    failed({ statusCode: 400, code: 'C', details: { a: 1 } }),
    400,
    { name: 'Error', status: 400, message: 'm', statusCode: 400, code: 'C', details: { a: 1 } }
  ],
  [new ModelNotFound('n'), 404, { name: 'Error', status: 404, message: 'n', statusCode: 404, code: 'MODEL_NOT_FOUND' }],
  [
    validation,
    422,
    { name: 'ValidationError', status: 422, message: validation.message, statusCode: 422, details: validation.details }
  ],
  [
    new InvalidBody('bad', { body: '{' }),
    400,
    {
      name: 'SyntaxError',
      status: 400,
      message: 'bad',
      expose: true,
      statusCode: 400,
      body: '{',
      type: 'entity.parse.failed'
    }
  ]
]

t.test('version 2 tells status beside statusCode, and every property', async (t) => {
  const options = { disableStackTrace: true }
  const rules = { showsErrorStatus: true, hidesOwnCodes: true }
  for (const [thrown, status, facts] of version2) {
    t.equal(answerTo(thrown, options, rules).statusCode, status)
    t.strictSame(told(thrown, options, rules), facts)
    t.notOk('stack' in answerTo(thrown, options, rules).facts)
  }
  t.match(answerTo(failed({}), {}, { showsErrorStatus: true }).facts['stack'], /Error: m/)
  t.match(told([failed({ status: 400 }), null], options, rules), { status: 500, details: [{ status: 400 }, null] })
})

const framework: readonly (readonly [code: string, own: number, statusCode: number, name: string | undefined])[] = [
  ['FST_ERR_CTP_BODY_TOO_LARGE', 413, 413, 'PayloadTooLargeError'],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 415, 415, 'UnsupportedMediaTypeError'],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 400, 400, 'BadRequestError'],
  ['FST_ERR_BAD_URL', 400, 400, 'URIError'],
  ['FST_ERR_MAX_PARAM_LENGTH', 414, 414, 'Error'],
  ['FST_ERR_SOMETHING', 400, 400, 'Error'],
  ['FST_ERR_REP_INVALID_PAYLOAD_TYPE', 500, 500, undefined]
]

t.test("Fastify's errors are told as LoopBack's", async (t) => {
  for (const [code, own, statusCode, name] of framework) {
    const thrown = failed({ code, statusCode: own, name: 'FastifyError' })
    const message = statusCode === 500 ? 'Internal Server Error' : 'm'
    t.strictSame(told(thrown, {}, { hidesOwnCodes: true }), { statusCode, ...(name && { name }), message })
    t.equal(answerTo(thrown).statusCode, statusCode)
  }
})
