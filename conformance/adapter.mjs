// Boots a recorded application for run.mjs: `async ({ appDir, version, env }) => ({ url, close })`.
import { createServer } from '@modelwire/boot'

export default async function boot({ appDir, version = 3, env = 'development' }) {
  const server = await createServer({ dir: appDir, version, env, logger: false })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { url, close: () => server.close() }
}
