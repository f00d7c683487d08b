import { fileURLToPath } from 'node:url'
import { seed } from 'modelwire/seeds'
import { buildServer } from './server.ts'

const app = await buildServer({ logger: { level: 'warn' } })
await seed(app, fileURLToPath(new URL('../seeds', import.meta.url)))
// A secret is shown when it is made, and stored as its hash.
const { secret } = await app.oauth2.clients.rotateSecret('wallboard')

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // A second signal ends the process at once.
  process.once(signal, () => void app.close())
}

const address = await app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' })
console.log(`The help desk listens on ${address}: see ${address}/explorer
Agents: ann@example.org and bob@example.org of one tenant, eve@example.org of another; the password is "a quiet evening"
The secret of the client wallboard, which is shown this once: ${secret}`)
