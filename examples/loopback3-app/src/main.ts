import { fileURLToPath } from 'node:url'
import { createServer, formatReport, listenOptions } from '@modelwire/boot'

const dir = fileURLToPath(new URL('..', import.meta.url))
// The report is printed below instead of logged.
const server = await createServer({ dir, logger: { level: 'warn' } })
console.log(formatReport(server.bootReport))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // A second signal ends the process at once.
  process.once(signal, () => void server.close())
}

try {
  console.log(`Listening on ${await server.listen(listenOptions(server))}`)
} catch (error) {
  console.error(`The application cannot listen: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
  await server.close()
}
