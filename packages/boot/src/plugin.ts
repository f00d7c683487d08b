import { protectLog } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { createOwnApplication } from './application/own-server.ts'
import { startApplication } from './application/start-application.ts'
import type { BootReport } from './boot-report.ts'
import { mountApplication } from './mount-application.ts'
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

async function plugin(server: FastifyInstance, options: BootOptions): Promise<void> {
  protectLog(server)
  const complete = async (): Promise<void> => {
    await server.ready()
  }
  const host = { log: server.log, open: () => server, complete, listen: () => {}, isHeld: true }
  await mountApplication(await startApplication(options, host, { make: () => createOwnApplication(options) }))
}

/** Reads a LoopBack 3 application folder and serves it. */
export const boot = fp(plugin, { name: '@modelwire/boot', fastify: '5.x' })
