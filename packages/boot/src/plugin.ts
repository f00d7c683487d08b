import { protectLog } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { createOwnApplication } from './assemble/server/own-server.ts'
import { startApplication } from './assemble/server/start-application.ts'
import type { BootReport } from './boot-report.ts'
import { mountApplication } from './assemble/application/mount-rest.ts'
import type { BootOptions } from './options.ts'
import type { ScriptApp } from '@modelwire/loopback/api'

declare module 'fastify' {
  interface FastifyInstance {
    /** The findings of the LoopBack application's startup. */
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
