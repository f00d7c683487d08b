// One side of an exchange: node serve.mjs loopback|modelwire SETTINGS. Each line of its input is a command, each answer a line.
import { createInterface } from 'node:readline'

const [side, settings] = process.argv.slice(2)
const { startLoopback } = side === 'loopback' ? await import('./start-loopback.mjs') : {}
const { startModelwire } = side === 'modelwire' ? await import('./start-modelwire.mjs') : {}
let server

for await (const command of createInterface({ input: process.stdin })) {
  if (command === 'start') server = await (startLoopback ?? startModelwire)(JSON.parse(settings))
  else await server[command]()
  process.stdout.write(`${server.url}\n`)
}
process.exit(0)
