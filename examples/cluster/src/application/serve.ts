// One process of the shop.
import { buildServer } from './server.ts'
import { readSettings } from './settings.ts'

const settings = readSettings()
const app = await buildServer({}, settings)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // It says at /ready that it closes, answers what it has, and ends; a second signal ends it at once.
  process.once(signal, () => void app.close())
}

await app.listen({ port: settings.PORT, host: settings.HOST })
