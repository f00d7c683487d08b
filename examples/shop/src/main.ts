import { describeLines } from './curl-lines.ts'
import { buildServer } from './server.ts'

const port = Number(process.env['PORT'] ?? 3000)
const host = process.env['HOST'] ?? '127.0.0.1'
const app = await buildServer()

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // A second signal ends the process at once.
  process.once(signal, () => void app.close())
}

try {
  const address = await app.listen({ port, host })
  console.log(`The shop listens on ${address}\n\n${describeLines(address)}`)
} catch (error) {
  console.error(describeFailure(error))
  process.exitCode = 1
  await app.close()
}

function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Choose another one: PORT=${port + 1} npx -y pnpm@12 start`
  if (code === 'EACCES') return `Port ${port} may not be used. Choose one above 1023: PORT=3000 npx -y pnpm@12 start`
  if (code === 'ERR_SOCKET_BAD_PORT') return `PORT must be a number from 0 to 65535, not "${process.env['PORT']}"`
  return `The shop cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`
}
