import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import t from 'tap'
import { operationFinder } from '#src/layers/batch/find-operation.ts'
import { sendBatch, startBatches } from './start-batches.ts'

/** What URLs are made of, and what parsers make another URL of. */
const parts = fc.oneof(
  fc.constantFrom('/', '/', '\\', '.', '..', '%2e', '%2E', '%2f', '%5c', '%25', '%', '%00', ';', '?', '#', '@', ':'),
  fc.constantFrom('\t', '\n', '\r', '\0', ' ', '\u007f', '\u00a0', '\u2028', '\ufeff', '\uff0f', '\u2024', '\ud800'),
  fc.constantFrom('Notes', 'notes', 'NOTES', 'Codes', 'change-stream', 'count', 'findOne', '1', 'bulk', 'batch'),
  fc.constantFrom(
    'metrics',
    'internal/report',
    'api',
    'apix',
    '//',
    'http://localhost',
    '*',
    'x{y/z}',
    'é',
    'e\u0301',
    'K'
  ),
  fc.string({ unit: 'binary', maxLength: 4 })
)

const slash = fc.constantFrom('/', '\\', '/\t', '\\\n', '//', '%2f', '%5c')
const up = fc.constantFrom('..', '.', '.%2e', '%2E%2E', '.\r.', '..;', '\u2025')

/** A way down, up again, and to what may be there. */
const climbs = fc
  .tuple(
    fc.array(fc.tuple(slash, fc.constantFrom('Notes', 'x', '1')), { maxLength: 2 }),
    fc.array(fc.tuple(slash, up), { maxLength: 4 }),
    slash,
    fc.constantFrom('metrics', 'internal/report', 'apix/Notes', 'api/Notes', 'Notes', 'Notes/change-stream', 'count')
  )
  .map((list) => list.flat(2).join(''))

const urls = fc
  .oneof(
    fc.array(parts, { maxLength: 12 }).map((list) => list.join('')),
    climbs
  )
  .map((text) => text.replace(/^(?!\/)/, '/'))

/** What answered the requests that are not the batch. */
interface Seen {
  readonly routes: (readonly [path: string | undefined, operation: unknown])[]
}

/** A server that keeps which routes answered, with one that answers whatever no other one does. */
async function startWatched(
  t: Parameters<typeof startBatches>[0],
  server: FastifyServerOptions
): Promise<[FastifyInstance, Seen]> {
  const seen: Seen = { routes: [] }
  const app = await startBatches(t, {
    server,
    beside: (scope) => {
      scope.addHook('onRequest', async ({ routeOptions }) => {
        if (routeOptions.url !== '/api/batch') seen.routes.push([routeOptions.url, routeOptions.config.operation])
      })
      scope.all('/*', () => 'outside')
    }
  })
  return [app, seen]
}

const servers: Readonly<Record<string, FastifyServerOptions>> = {
  'a server as it is': {},
  'a server that takes many spellings': {
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true }
  },
  'a server that ends paths at semicolons': { useSemicolonDelimiter: true }
}

for (const [name, server] of Object.entries(servers))
  void t.test(`whatever the URL, ${name} answers by the route that was found, below the API, or not`, async (t) => {
    const [app, seen] = await startWatched(t, server)
    const [mount] = app.models.mounts
    if (mount === undefined) throw new Error('nothing is mounted')
    const find = operationFinder(app, mount)
    const isAnsweredWell = async (url: string, method: 'GET' | 'DELETE'): Promise<boolean> => {
      seen.routes.length = 0
      const { status, responses } = await sendBatch(app, { requests: [{ method, url }] })
      const [[path, operation] = []] = seen.routes
      if (path === undefined) return (responses[0]?.status ?? status) >= 400
      return path.startsWith('/api/') && operation === find(method, url).operation
    }
    await fc.assert(fc.asyncProperty(urls, fc.constantFrom('GET', 'DELETE'), isAnsweredWell), { numRuns: runs(600) })
  })
