// One framework in a process of its own: `framework-process.js loopback FOLDER`, or `modelwire`. The parent sends the
// folder of an application, which replaces the one before, and gets its URL or why it does not start.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Server } from 'node:http'
import type { StartApp } from '../replay.ts'

type Close = () => Promise<void>
type Start = (appDir: string) => Promise<{ url: string; close: Close }>

interface LoopbackApp {
  listen(port: number, host: string, done: () => void): Server
}

function startLoopback(folder: string): Start {
  const require = createRequire(join(folder, 'package.json'))
  const loopback = require('loopback') as (options: object) => LoopbackApp // LoopBack is JavaScript.
  const boot = require('loopback-boot') as (
    app: LoopbackApp,
    options: object,
    done: (error?: Error | null) => void
  ) => void // likewise
  return async (appDir) => {
    const app = loopback({ localRegistry: true, loadBuiltinModels: true })
    await new Promise<void>((resolve, reject) =>
      boot(app, { appRootDir: join(appDir, 'server') }, (error) => (error ? reject(error) : resolve()))
    )
    const server = await new Promise<Server>((resolve) => {
      const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
    })
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const close = async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
    return { url: `http://127.0.0.1:${port}`, close }
  }
}

async function startModelwire(): Promise<Start> {
  const path = join(import.meta.dirname, '..', '..', 'adapter.mjs')
  const { default: start } = (await import(pathToFileURL(path).href)) as { default: StartApp } // its form
  return (appDir) => start({ appDir, version: 3, env: 'development' })
}

// Dates without a zone are read in UTC by both.
process.env['TZ'] = 'UTC'
const [, , framework, folder = '.'] = process.argv
const start = framework === 'loopback' ? startLoopback(folder) : await startModelwire()
let close: Close = async () => {}

async function replace(appDir: string): Promise<void> {
  await close()
  close = async () => {}
  try {
    const running = await start(appDir)
    close = running.close
    process.send?.({ url: running.url })
  } catch (error) {
    process.send?.({ error: String(error) })
  }
}

process.on('message', (appDir: string) => void replace(appDir))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
