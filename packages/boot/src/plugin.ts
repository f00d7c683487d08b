import { protectLog } from '@modelwire/core'
import fp from 'fastify-plugin'
import type { FastifyInstance } from 'fastify'
import type { LoopBackApplication } from './application/loopback-application.ts'
import { startApplication } from './application/start-application.ts'
import type { BootReport } from './boot-report.ts'
import type { BootOptions } from './options.ts'
import type { ScriptApp } from './scripts/app/script-app.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What the start of the LoopBack application found. */
    bootReport: BootReport
    /** The application object of boot scripts: `models`, `get(name)`, events. */
    loopback: ScriptApp
  }
}

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

async function plugin(server: FastifyInstance, options: BootOptions): Promise<void> {
  protectLog(server)
  const complete = async (): Promise<void> => {
    await server.ready()
  }
  const host = { log: server.log, open: () => server, complete, listen: () => {}, isHeld: true }
  await mountApplication(await startApplication(options, host))
}

/** Reads a LoopBack 3 application folder and serves it. */
export const boot = fp(plugin, { name: '@modelwire/boot', fastify: '5.x' })
