// Runs programs one after the other, as their readers would: node run-programs.mjs '{ "shop", "programs": [{ "path", "commands", "inShop" }] }'
// Those that use the shop find a new one as `app`, as the module `shop` opens it.
// Servers listen on a free port; the commands are sent to it, then it closes. What each program printed and what the
// commands answered is written to the channel of the parent.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { Server } from 'node:net'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { format, promisify } from 'node:util'

const run = promisify(execFile)
const listen = Reflect.get(Server.prototype, 'listen')
const servers = []
let printed = []

Server.prototype.listen = function (options, ...rest) {
  servers.push(this)
  return listen.call(this, typeof options === 'object' ? { ...options, port: 0 } : 0, ...rest)
}
console.log = (...values) => void printed.push(format(...values))

const { shop, programs } = JSON.parse(process.argv[2])
for (const program of programs) process.send({ path: program.path, ...(await runProgram(program)) })
process.disconnect()

async function runProgram({ path, commands, inShop }) {
  printed = []
  process.chdir(dirname(path))
  try {
    if (inShop) globalThis.app = await openShop()
    await import(pathToFileURL(path).href)
    const answers = await ask(commands)
    await globalThis.app?.close()
    delete globalThis.app
    await Promise.all(servers.splice(0).map(close))
    return { printed: printed.join('\n'), answers }
  } catch (error) {
    return { error: format(error) }
  }
}

async function openShop() {
  const { openShop: open } = await import(pathToFileURL(shop).href)
  return open()
}

async function ask(commands) {
  const port = servers.find((server) => server.listening)?.address().port
  const answers = []
  if (port === undefined) return answers
  for (const { text } of commands) {
    const { stdout } = await run('sh', ['-c', text.replaceAll('localhost:3000', `localhost:${port}`)])
    answers.push(stdout)
  }
  return answers
}

async function close(server) {
  const closed = server.listening ? once(server, 'close') : undefined
  server.close()
  server.closeAllConnections?.()
  await closed
}
