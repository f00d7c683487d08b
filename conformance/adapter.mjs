// Boots a recorded application for run.mjs: `async ({ appDir, version, env }) => ({ url, close })`.
// MODELWIRE_CONNECTOR names the database in place of memory: postgresql, mysql, sqlite or mongodb.
import { createServer } from '@modelwire/boot'
import { connectorsFor } from './databases.mjs'

export default async function boot({ appDir, version = 3, env = 'development' }) {
  const { connectors, drop } = await connectorsFor(process.env.MODELWIRE_CONNECTOR ?? 'memory')
  try {
    const server = await createServer({
      dir: appDir,
      version,
      env,
      logger: false,
      connectors,
      // Clients of recordings keep connections that carry nothing any more.
      serverTimeouts: { shutdown: 1 }
    })
    const url = await server.listen({ host: '127.0.0.1', port: 0 })
    const close = async () => {
      await server.close()
      await drop()
    }
    return { url, close }
  } catch (error) {
    await drop()
    throw error
  }
}
