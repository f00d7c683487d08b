// Makes the tables, and what a shop begins with. Run it once before the processes of a new version start.
import { migrate } from '@modelwire/core'
import { buildServer } from './server.ts'
import { stock } from './stock.ts'

const app = await buildServer()
try {
  // Before the server is ready, which begins to read the log of changes.
  await migrate(app.models)
  await app.ready()
  await stock(app.models)
} finally {
  await app.close()
}
