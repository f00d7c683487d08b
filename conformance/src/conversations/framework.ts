import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openStarter } from './open-starter.ts'
import type { ConversationRequest } from './plan.ts'

/** An answer over HTTP. Status 0: there was none, since the process ended or was silent for too long. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A framework that starts applications, one after the other, and sends them requests. */
export interface Framework {
  /**
   * Starts the application in place of the one before, or empties it when it is the same; the reason when it does not start.
   */
  start(files: Readonly<Record<string, string>>): Promise<string | undefined>
  send(request: ConversationRequest): Promise<Answer>
  close(): Promise<void>
}

const requestTimeoutMs = 5000

async function writeFolder(dir: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
}

async function request(url: string, { method, path, headers, body }: ConversationRequest): Promise<Answer> {
  try {
    const response = await fetch(url + path, {
      method,
      headers: { accept: 'application/json', ...headers },
      signal: AbortSignal.timeout(requestTimeoutMs),
      ...(body === undefined ? {} : { body })
    })
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
  } catch {
    return { status: 0, headers: {}, body: '' }
  }
}

const reset: ConversationRequest = { kind: 'reset', method: 'POST', path: '/reset' }

/** Opens `loopback`, installed in `folder`, or `modelwire`. */
export async function openFramework(name: 'loopback' | 'modelwire', folder = '.'): Promise<Framework> {
  const root = await mkdtemp(join(tmpdir(), `conversations-${name}-`))
  if (name === 'loopback') await symlink(join(folder, 'node_modules'), join(root, 'node_modules'), 'dir')
  const starter = openStarter([name, folder])
  let url = ''
  let made = 0
  let served = ''
  const isEmptied = async (text: string): Promise<boolean> =>
    text === served && (await request(url, reset)).status === 200
  return {
    async start(files) {
      const text = JSON.stringify(files)
      if (await isEmptied(text)) return undefined
      made += 1
      const dir = join(root, String(made))
      await writeFolder(dir, files)
      const message = await starter.start(dir)
      url = message.url ?? ''
      served = message.url === undefined ? '' : text
      await rm(dir, { recursive: true, force: true })
      return message.error
    },
    send: (one) => request(url, one),
    async close() {
      starter.close()
      await rm(root, { recursive: true, force: true })
    }
  }
}
