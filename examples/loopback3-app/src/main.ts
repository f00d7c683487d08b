import { fileURLToPath } from 'node:url'
import { createServer, formatReport, listenOptions } from '@modelwire/boot'

const server = await createServer({ dir: fileURLToPath(new URL('..', import.meta.url)), logger: true })
console.log(formatReport(server.bootReport))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void server.close())
}
await server.listen(listenOptions(server))
