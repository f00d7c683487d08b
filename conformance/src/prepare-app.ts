import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isObject } from './is-object.ts'

/** `patch` merged into `target`: objects key by key, everything else replaced. */
export function mergeDeep(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) merged[key] = mergeDeep(merged[key], value)
  return merged
}

/** A private copy of an application folder, with JSON merged into some of its files. */
export async function prepareApp(
  source: string,
  patch: Readonly<Record<string, unknown>> = {}
): Promise<{ dir: string; remove: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'modelwire-conformance-'))
  await cp(source, dir, { recursive: true })
  for (const [file, part] of Object.entries(patch)) {
    const path = join(dir, file)
    // A patch may also add a file.
    const current: unknown = JSON.parse(await readFile(path, 'utf8').catch(() => '{}'))
    await writeFile(path, JSON.stringify(mergeDeep(current, part)))
  }
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) }
}
