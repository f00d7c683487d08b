// A placeholder until the packages below it are written: shows that install, build and start work.
import Fastify from 'fastify'

const app = Fastify()
app.get('/', async () => ({ name: 'shop' }))

const address = await app.listen({
  host: process.env['HOST'] ?? '127.0.0.1',
  port: Number(process.env['PORT'] ?? 3000)
})
console.log(`The shop listens on ${address}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void app.close())
}
