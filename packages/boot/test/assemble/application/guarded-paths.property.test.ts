import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import t, { type Test } from 'tap'
import { boot as bootPlugin } from '#src/plugin.ts'
import { bootApp, type Files, makeFolder, usualFiles } from '../../make-app.ts'
import fastify from 'fastify'

/** `inject` writes a target in its own way: the header has it as a client wrote it. */
const rewriteUrl: NonNullable<FastifyServerOptions['rewriteUrl']> = ({ headers, url = '' }) =>
  headers['x-target'] === undefined ? url : decodeURIComponent(String(headers['x-target']))

const model = `module.exports = Thing => {
  const answer = (name, path) => {
    Thing[name] = (...args) => Promise.resolve('reached ' + name + (name === 'mail' ? args[0] : ''))
    Thing.remoteMethod(name, { accepts: (path.match(/:\\w+/g) || []).map(arg => ({ arg: arg.slice(1), type: 'string', required: true })),
      returns: { arg: 'reached', type: 'string' }, http: { verb: 'get', path } })
  }
  answer('secret', '/secret')
  answer('stra\u00dfe', '/Stra\u00dfe/\u00c9')
  answer('below', '/vault/:key/open')
  answer('mail', '/box/:name')
}`

/** Guards in every way in which an application may have them; each names itself in the answer. */
const script = `const guard = name => (req, res, next) => { res.setHeader('x-guard-' + name, 'yes'); next() }
module.exports = app => {
  app.use('/api/Things/secret', guard('use'))
  app.middleware('auth', ['/api/things/SECRET'], guard('phase'))
  app.all(/^\\/api\\/Things\\/secret\\/?$/, guard('pattern'))
  const router = app.loopback.Router()
  router.get('/Things/secret', guard('router'))
  app.use('/api', router)
  app.use('/api/Things/stra\u00dfe/\u00c9', guard('letters'))
  app.use('/api/Things/stra%c3%9Fe', guard('encoded'))
  app.use('/api/Things/vault', guard('vault'))
  app.use('/api/Things/box/me@x.org', guard('mail'))
  app.use('/private', guard('files'))
}`

const files: Files = {
  'common/models/thing.js': model,
  'server/boot/guards.js': script,
  'server/guard.js': `module.exports = () => (req, res, next) => { res.setHeader('x-guard-file', 'yes'); next() }`,
  'client/private/page.html': 'reached page',
  'server/middleware.json': {
    ...Object(usualFiles['server/middleware.json']),
    initial: { './guard': { paths: ['/api/Things/secret'] } },
    files: { 'loopback#static': { params: '$!../client' } }
  }
}

interface Place {
  readonly segments: readonly string[]
  /** What the answer says. */
  readonly answer: string
  readonly guards: readonly string[]
}

const places: readonly Place[] = [
  {
    segments: ['api', 'Things', 'secret'],
    answer: 'reached secret',
    guards: ['use', 'phase', 'pattern', 'router', 'file']
  },
  {
    segments: ['api', 'Things', 'Stra\u00dfe', '\u00c9'],
    answer: 'reached stra\u00dfe',
    guards: ['letters', 'encoded']
  },
  { segments: ['api', 'Things', 'vault', 'a', 'open'], answer: 'reached below', guards: ['vault'] },
  { segments: ['api', 'Things', 'vault', '..', 'open'], answer: 'reached below', guards: ['vault'] },
  { segments: ['api', 'Things', 'box', 'me@x.org'], answer: 'reached mailme@x.org"', guards: ['mail'] },
  { segments: ['private', 'page.html'], answer: 'reached page', guards: ['files'] }
]

interface Spelling {
  readonly before: string
  readonly marks: readonly number[]
  readonly slashes: readonly string[]
  readonly after: string
}

const listOf = <Item>(items: readonly Item[]): fc.Arbitrary<Item[]> =>
  fc.array(fc.constantFrom(...items), { minLength: 1, maxLength: 7 })

/** Most spellings change little, so that many reach a handler. */
const spelling: fc.Arbitrary<Spelling> = fc.record({
  before: fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    fc.constantFrom('http://elsewhere', 'HTTPS://a:1', 'http://u@[::1]', 'foo:', '.', '/.', '/x/..', '/%2e')
  ),
  marks: fc.oneof(listOf([0]), listOf([0, 2, 3]), listOf([0, 4, 5]), listOf([0, 1, 2, 3, 4, 5, 6])),
  slashes: fc.oneof(
    { weight: 2, arbitrary: listOf(['/']) },
    listOf(['/', '//', '///']),
    listOf(['/', '/./', '/%2e/', '/x/../', '/x/%2E%2e/', '%2F', '%2f', '%5C', '\\'])
  ),
  after: fc.oneof(
    { weight: 2, arbitrary: fc.constant('') },
    fc.constantFrom('/', '//', '?', '?x=/y', '#', '#/y', ';', ';x=1', '%00', '%', '%3B', '%3F'),
    fc.constantFrom('/.', '/%2e', '/..', '%20', '.', '%2e')
  )
})

const bytes = (text: string, upper: boolean): string =>
  Array.from(Buffer.from(text), (byte) => {
    const hex = byte.toString(16).padStart(2, '0')
    return `%${upper ? hex.toUpperCase() : hex}`
  }).join('')

/** Ways of writing one character: in another case, encoded once or twice, as it is. */
const writers: readonly ((character: string) => string)[] = [
  (character) => encodeURIComponent(character),
  (character) => encodeURIComponent(character),
  (character) => bytes(character, true),
  (character) => bytes(character, false),
  (character) => encodeURIComponent(character.toUpperCase()),
  (character) => encodeURIComponent(character === '\u00df' ? '\u1e9e' : character.toLowerCase()),
  (character) => bytes(character, false).replaceAll('%', '%25')
]

function write(segments: readonly string[], { before, marks, slashes, after }: Spelling, twice: boolean): string {
  let at = 0
  const writeCharacter = (character: string): string => {
    const mark = marks[at++ % marks.length] ?? 0
    return (writers[mark === 6 && !twice ? 2 : mark] ?? encodeURIComponent)(character)
  }
  const parts = segments.map((segment, index) => {
    const slash = slashes[index % slashes.length] ?? '/'
    return slash + Array.from(segment, writeCharacter).join('')
  })
  return `${before}${parts.join('')}${after}`
}

/** Counts what reached a handler, so that a property that reaches nothing fails. */
async function checkGuards(t: Test, server: FastifyInstance, prefix: readonly string[] = []): Promise<void> {
  const reached = new Set<string>()
  const twice = fc.constantFrom(false, false, false, true)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), spelling, twice, async (place, how, encodedTwice) => {
      const target = write([...prefix, ...place.segments], how, encodedTwice)
      const { body, headers, statusCode } = await server.inject({
        url: '/',
        headers: { 'x-target': encodeURIComponent(target) }
      })
      // Dots and letters may have made another place of it.
      const met = places.find(({ answer }) => statusCode === 200 && body.includes(answer))
      if (met === undefined) return true
      reached.add(met.answer)
      return met.guards.every((guard) => headers[`x-guard-${guard}`] === 'yes')
    }),
    { numRuns: runs(500) }
  )
  t.equal(reached.size, new Set(places.map(({ answer }) => answer)).size, 'every place is reached')
}

void t.test('whatever spelling of a path reaches its route, the guards of that path have run', async (t) => {
  await checkGuards(t, await bootApp(t, files, { fastify: { rewriteUrl } }))
})

void t.test('the same where the router reads semicolons, or takes every slash and letter as it is', async (t) => {
  const semicolons: object = { routerOptions: { useSemicolonDelimiter: true } }
  await checkGuards(t, await bootApp(t, files, { fastify: { rewriteUrl, ...semicolons } }))
  const dir = await makeFolder(t, { ...usualFiles, ...files })
  const server = fastify({ rewriteUrl })
  t.teardown(() => server.close())
  await server.register(bootPlugin, { dir, variables: {} })
  await server.ready()
  await checkGuards(t, server)
})
