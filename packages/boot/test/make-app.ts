import type { Test } from 'tap'
import { type Files, makeFolder } from '@modelwire/test-apps'
import { type AppFolder, findAppFolder } from '#src/read/files/app-folder.ts'

export * from '@modelwire/test-apps'

/** An application folder as the readers get it. */
export async function makeAppFolder(t: Test, files: Files, env = 'development'): Promise<AppFolder> {
  return findAppFolder(await makeFolder(t, { 'server/config.json': {}, ...files }), env)
}
