import { readEnvironment } from '#src/environment.ts'
import { Type } from '@sinclair/typebox'
import t from 'tap'

const schema = Type.Object({
  PORT: Type.Integer({ default: 3000, minimum: 0 }),
  RATIO: Type.Optional(Type.Number()),
  DEBUG: Type.Boolean({ default: false }),
  ORIGINS: Type.Array(Type.String(), { default: [] }),
  LEVELS: Type.Optional(Type.Array(Type.Integer())),
  MODE: Type.Union([Type.Literal('a'), Type.Literal('b')], { default: 'a' }),
  SESSION_SECRET: Type.String({ minLength: 8 })
})

const secret = { SESSION_SECRET: 'long enough' }

t.test('variables have the types of the schema, defaults are filled in, and others are left out', async (t) => {
  t.same(readEnvironment(schema, { ...secret, HOME: '/root', PORT: '', DEBUG: undefined }), {
    PORT: 3000,
    DEBUG: false,
    ORIGINS: [],
    MODE: 'a',
    ...secret
  })
  const given = { PORT: '80', RATIO: '0.5', DEBUG: 'TRUE', ORIGINS: 'a, b', LEVELS: '1,2', MODE: 'b' }
  const settings = readEnvironment(schema, { ...secret, ...given })
  t.same(settings, { PORT: 80, RATIO: 0.5, DEBUG: true, ORIGINS: ['a', 'b'], LEVELS: [1, 2], MODE: 'b', ...secret })
  t.ok(Object.isFrozen(settings))
  t.same(readEnvironment(Type.Object({ PATH: Type.String() })), { PATH: process.env['PATH'] })
})

t.test('all variables that are wrong are named in one error, without their values', async (t) => {
  const wrong = { PORT: '3.5', RATIO: 'half', DEBUG: 'maybe', LEVELS: '1,x', MODE: 'c' }
  t.throws(() => readEnvironment(schema, wrong), { code: 'ENVIRONMENT_INVALID', statusCode: 500 })
  const message = (): string => {
    try {
      readEnvironment(schema, wrong)
      return ''
    } catch (error) {
      return String(error)
    }
  }
  for (const name of ['PORT', 'RATIO', 'DEBUG', 'LEVELS', 'MODE']) t.match(message(), `${name} is invalid`)
  t.match(message(), 'SESSION_SECRET is missing')
  t.notMatch(message(), /half|maybe/)
})
