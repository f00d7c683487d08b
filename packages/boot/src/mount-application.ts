import type { LoopBackApplication } from './application/loopback-application.ts'

/** Mounts an application into its server and decorates the server with it. */
export async function mountApplication(application: LoopBackApplication): Promise<void> {
  const { app, server } = application
  const report = await application.finish()
  server.decorate('bootReport', report)
  server.decorate('loopback', app)
  server.addHook('onListen', async () => {
    if (!application.hasServerScript) app.emit('started')
  })
}
