// Starts the application folder beside this file with real LoopBack 3, installed in LOOPBACK_FOLDER, on a database.
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const here = import.meta.dirname
const loopbackFolder = process.env.LOOPBACK_FOLDER ?? here
const require = createRequire(join(loopbackFolder, 'package.json'))

/** A running server: its `url`, `migrate`, which makes the tables anew, and `close`. */
export async function startLoopback(settings) {
  const appDir = mkdtempSync(join(tmpdir(), 'modelwire-exchange-'))
  cpSync(join(here, 'app'), appDir, { recursive: true })
  writeFileSync(join(appDir, 'server/datasources.json'), JSON.stringify({ db: { name: 'db', ...settings } }))
  symlinkSync(join(loopbackFolder, 'node_modules'), join(appDir, 'node_modules'), 'dir')
  const loopback = require('loopback')
  const app = loopback()
  await new Promise((resolve, reject) =>
    require('loopback-boot')(app, { appRootDir: join(appDir, 'server') }, (error) =>
      error ? reject(error) : resolve()
    )
  )
  const server = await new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
  })
  return {
    url: `http://127.0.0.1:${server.address().port}/api`,
    migrate: () => new Promise((resolve, reject) => app.dataSources.db.automigrate((e) => (e ? reject(e) : resolve()))),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await new Promise((resolve) => app.dataSources.db.disconnect(resolve))
      rmSync(appDir, { recursive: true, force: true })
    }
  }
}
