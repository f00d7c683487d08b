// Hand-written servers on Modelwire's tables in the database of `BENCH_DATABASE_URL`, which share a port by `node:cluster` as the processes
// of `modelwire serve --processes` do. Arguments: how many, and the port.
import cluster from 'node:cluster'
import Fastify from 'fastify'
import { benchTables } from './bench-tables.ts'
import { handwrittenSchemas as schemas } from './handwritten-schemas.ts'
import { addHandwrittenRoutes } from './handwritten-sql.ts'
import { Statements } from './handwritten-statements.ts'
import { ourTables } from './modelwire.ts'
import { poolSize } from './shared-server.ts'
import { openDriver } from './sql-drivers.ts'

const [count = 1, port = 0] = process.argv.slice(2).map(Number)
if (cluster.isPrimary) for (let started = 0; started < count; started++) cluster.fork()
else await serve()

async function serve(): Promise<void> {
  const app = Fastify({ exposeHeadRoutes: false })
  const driver = openDriver('postgresql', process.env['BENCH_DATABASE_URL'] ?? '', poolSize)
  const tables = { ...benchTables.postgresql.own, ...ourTables('postgresql') }
  addHandwrittenRoutes(app, { driver, tables, statements: new Statements(driver, tables), schemas }, false)
  app.get('/process', async () => ({ pid: process.pid }))
  await app.listen({ host: '127.0.0.1', port })
}
