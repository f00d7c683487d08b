// Makes the tables, and what a shop begins with. Run it once before the processes of a new version start.
import { migrate } from '@modelwire/core'
import { buildServer } from './server.ts'
import { readSettings } from './settings.ts'
import { stock } from './stock.ts'

const settings = readSettings()
const app = await buildServer({}, settings)
try {
  // Before the server is ready, which begins to read the log of changes.
  await migrate(app.models)
  await app.ready()
  await stock(app, settings)
} finally {
  await app.close()
}
