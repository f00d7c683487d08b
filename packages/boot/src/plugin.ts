import { protectLog } from '@modelwire/core'
import fp from 'fastify-plugin'
import type { FastifyInstance } from 'fastify'
import { bootApplication } from './boot-application.ts'
import type { BootReport } from './boot-report.ts'
import type { BootOptions } from './options.ts'
import { prepareApplication, type PreparedApplication } from './prepare-application.ts'
import type { ScriptApp } from './scripts/script-app.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What the start of the LoopBack application found. */
    bootReport: BootReport
    /** The application object of boot scripts: `models`, `get(name)`, events. */
    loopback: ScriptApp
  }
}

/** Builds an application that was read into a server and decorates the server with it. */
export async function bootInto(
  server: FastifyInstance,
  options: BootOptions,
  prepared: PreparedApplication
): Promise<void> {
  protectLog(server)
  const { report, app } = await bootApplication(server, options, prepared)
  server.decorate('bootReport', report)
  server.decorate('loopback', app)
  server.addHook('onListen', async () => {
    const [address] = server.addresses()
    // Scripts find it with a slash at its end.
    if (typeof address === 'object') app.set('url', `http://${hostIn(address)}:${address.port}/`)
    app.emit('started')
  })
}

function hostIn({ address, family }: { address: string; family: string }): string {
  return family === 'IPv6' ? `[${address}]` : address
}

async function plugin(server: FastifyInstance, options: BootOptions): Promise<void> {
  await bootInto(server, options, await prepareApplication(options))
}

/** Reads a LoopBack 3 application folder and serves it. */
export const boot = fp(plugin, { name: '@modelwire/boot', fastify: '5.x' })
