import t, { type Test } from 'tap'
import { collectNotes, type Note } from '#src/boot-report.ts'
import type { MiddlewarePlan } from '#src/read/middleware/middleware-plan.ts'
import { planMiddleware } from '#src/read/middleware/plan-middleware.ts'
import type { MiddlewareEntry } from '@modelwire/loopback/express'
import { type Files, makeAppFolder } from '../../make-app.ts'

const entry = (name: string, more: Partial<MiddlewareEntry> = {}): MiddlewareEntry => ({
  name,
  phase: 'initial',
  params: undefined,
  moreParams: [],
  paths: [],
  methods: [],
  optional: false,
  file: 'server/middleware.json',
  key: `initial.${name}`,
  ...more
})

interface Options {
  version?: 2 | 3
  files?: Files
  honoured?: string[]
}

async function plan(
  t: Test,
  entries: MiddlewareEntry[],
  options: Options = {}
): Promise<MiddlewarePlan & { notes: readonly Note[] }> {
  const { version = 3, files = {}, honoured = [] } = options
  const { notes, add } = collectNotes()
  const folder = await makeAppFolder(t, files)
  return { ...planMiddleware(entries, { version, folder, add, honoured: new Set(honoured) }), notes }
}

void t.test('the REST API is mounted where it says, else at the root', async (t) => {
  t.strictSame((await plan(t, [entry('loopback#rest', { paths: ['/a', '/b'] })])).restPaths, ['/a', '/b'])
  t.strictSame((await plan(t, [entry('loopback#rest')])).restPaths, ['/'])
})

void t.test('CORS comes first, then headers', async (t) => {
  const { steps } = await plan(t, [
    entry('compression'),
    entry('helmet#noSniff'),
    entry('helmet#frameguard'),
    entry('cors')
  ])
  t.strictSame(
    steps.map(({ label }) => label),
    ['cors', 'helmet (noSniff, frameguard)', 'compression']
  )
})

void t.test('the parameters of the error handler are taken over', async (t) => {
  const params = { debug: true, log: false, safeFields: ['code'], rootProperty: false, handler: 1 }
  const { errors, notes } = await plan(t, [entry('strong-error-handler', { params })])
  t.strictSame(errors, {
    options: { debug: true, log: false, safeFields: ['code'], rootProperty: false },
    page: false,
    inVersion3: true
  })
  t.match(notes, [{ key: 'initial.strong-error-handler.params.handler' }])
})

void t.test("version 2's error handler shows pages", async (t) => {
  const params = { includeStack: false, log: false }
  const { errors } = await plan(t, [entry('loopback#errorHandler', { params })], { version: 2 })
  t.strictSame(errors, { options: { log: false, disableStackTrace: true }, page: true, inVersion3: false })
})

const told: [string, MiddlewareEntry, Options, RegExp][] = [
  ['paths of access tokens', entry('loopback#token', { paths: ['/api'] }), {}, /all paths/],
  ["version 2's own middleware", entry('loopback#session'), { version: 2 }, /package/],
  ['optional middleware that is missing', entry('nothing', { optional: true }), {}, /not installed/],
  ['parts of helmet that are gone', entry('helmet#publicKeyPins'), {}, /no longer has this middleware/],
  ['files without a folder', entry('loopback#static', { params: {} }), {}, /path of an existing folder/],
  ['files of a folder that is missing', entry('serve-static', { params: '/nowhere/at/all' }), {}, /existing folder/],
  ['methods', entry('cors', { methods: ['GET'] }), {}, /every method/]
]

for (const [name, given, options, reason] of told) {
  void t.test(`tells of ${name}`, async (t) => {
    const { notes } = await plan(t, [given], options)
    t.match(notes, [{ file: 'server/middleware.json', reason }])
    t.equal(notes.length, 1)
  })
}

const ofExpress: [string, string, Options][] = [
  ['of the application', './log', { files: { 'server/log.js': '' } }],
  ['in a package', 'morgan#dev', { files: { 'node_modules/morgan/index.js': '' } }]
]

for (const [name, module, options] of ofExpress) {
  void t.test(`keeps middleware of Express ${name}`, async (t) => {
    const { foreign, notes } = await plan(t, [entry(module)], options)
    t.match(foreign, [{ name: module }])
    t.strictSame(notes, [])
  })
}

void t.test("version 2's own middleware is that of its package, where it is installed", async (t) => {
  const files = { 'node_modules/express-session/index.js': '' }
  const { foreign, notes } = await plan(t, [entry('loopback#session')], { version: 2, files })
  t.match(foreign, [{ name: 'express-session' }])
  t.strictSame(notes, [])
})

void t.test('keeps parsers of bodies', async (t) => {
  t.match((await plan(t, [entry('body-parser#json')])).bodyParsers, [{ name: 'body-parser#json' }])
})

void t.test('says nothing about middleware that another package honours', async (t) => {
  const { notes } = await plan(t, [entry('loopback#token'), entry('./own')], { honoured: ['loopback#token', './own'] })
  t.strictSame(notes, [])
})

const refused: [string, MiddlewareEntry, string][] = [
  ['unknown middleware', entry('no-such-middleware'), 'MIDDLEWARE_UNKNOWN'],
  ['a file that does not exist', entry('./middleware/log'), 'MIDDLEWARE_UNKNOWN'],
  ['an unknown part of loopback', entry('loopback#nonsense'), 'MIDDLEWARE_UNKNOWN'],
  ['what version 3 removed', entry('loopback#context'), 'MIDDLEWARE_REMOVED'],
  ['the error handler of version 2', entry('loopback#errorHandler'), 'MIDDLEWARE_REMOVED'],
  ['wrong parameters', entry('strong-error-handler', { params: { debug: 'yes' } }), 'CONFIG_VALUE_INVALID']
]

for (const [name, given, code] of refused) {
  void t.test(`refuses ${name}`, async (t) => {
    await t.rejects(plan(t, [given]), { code, where: { file: 'server/middleware.json' } })
  })
}
