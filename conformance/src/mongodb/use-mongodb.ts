import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type Settings = Record<string, Record<string, unknown>>

/** Puts MongoDB in place of memory in an application folder: nothing else of the folder is changed. */
export async function useMongodb(appDir: string, url: string): Promise<void> {
  const server = join(appDir, 'server')
  const files = await readdir(server)
  for (const file of files.filter((name) => /^datasources.*\.json$/.test(name))) {
    const path = join(server, file)
    const dataSources = JSON.parse(await readFile(path, 'utf8')) as Settings // a file of the recordings
    const changed = Object.entries(dataSources).map(([name, settings]) => [
      name,
      settings['connector'] === 'memory' ? { ...settings, connector: 'mongodb', url } : settings
    ])
    await writeFile(path, JSON.stringify(Object.fromEntries(changed)))
  }
}
