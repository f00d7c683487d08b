import type { FastifyInstance } from 'fastify'
import { portOf } from './addresses.ts'

/** Listens at an address until the process gets a signal to end. */
export async function listen(app: FastifyInstance, address: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.close())
  await app.listen({ host: new URL(address).hostname, port: portOf(address) })
}
