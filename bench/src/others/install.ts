import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OtherName, others } from './others.ts'

const root = fileURLToPath(new URL('../../.others', import.meta.url))

/** Where the packages of another framework are. */
export const folderOf = (name: OtherName): string => join(root, name)

/** The packages of another framework could not be installed. */
export class InstallFailed extends Error {
  readonly code = 'BENCH_INSTALL_FAILED'
}

/** Node's own package: what runs the benchmark may be too old for a framework. */
const nodePackage = `node-linux-${process.arch}`

/** The program that runs the server of another framework. */
export const nodeOf = (name: OtherName): string =>
  others[name].node === undefined ? process.execPath : join(folderOf(name), 'node_modules', nodePackage, 'bin', 'node')

/** Installs another framework from npm, where these versions are not there yet. @throws {InstallFailed} */
export async function installOther(name: OtherName, print: (text: string) => void): Promise<void> {
  const folder = folderOf(name)
  const { title, packages, node } = others[name]
  const dependencies = node === undefined ? packages : { ...packages, [nodePackage]: node }
  const wanted = JSON.stringify({ private: true, dependencies }, null, 2)
  if (readText(join(folder, 'installed.json')) === wanted) return
  print(`installing ${title} in ${folder}`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), wanted)
  // None of them needs the scripts of its packages, some of which compile what is not used here.
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  const [code] = await once(spawn('npm', args, { cwd: folder, stdio: 'inherit' }), 'exit')
  if (code !== 0) throw new InstallFailed(`npm could not install ${title}: see above`)
  await writeFile(join(folder, 'installed.json'), wanted)
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
