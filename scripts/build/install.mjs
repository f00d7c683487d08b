import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listProjects } from './list-projects.mjs'

// Only a complete installation has it.
const ofCompleteInstallation = 'node_modules/tap'

/**
 * Installs every package that the lockfile names; nothing when they are there.
 * @param {string} root
 */
export function installAll(root) {
  install(root, existsSync(join(root, ofCompleteInstallation)) ? 'Checking packages' : 'Installing all packages', [])
}

/**
 * Installs what running a project needs: its dependencies and those of the workspace packages among them, but no tools of
 * development. A complete installation stays complete.
 * @param {string} root
 * @param {string} project such as `examples/shop`
 * @returns {string[]} folders of the project and of the workspace packages that it needs
 */
export function installFor(root, project) {
  const { name } = readManifest(root, project)
  if (existsSync(join(root, ofCompleteInstallation))) installAll(root)
  else
    install(root, `Installing the packages that ${project} needs`, [
      '--prod',
      '--filter-prod',
      `${name}...`,
      '--filter',
      '.'
    ])
  return neededProjects(root, project)
}

function install(root, doing, args) {
  const begin = performance.now()
  const [command, ...first] = packageManager()
  console.log(`${doing} …`)
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }
  const { status, error, stdout, stderr } = spawnSync(
    command,
    [...first, 'install', '--frozen-lockfile', '--reporter=append-only', ...args],
    options
  )
  if (status !== 0) {
    process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error === undefined ? '' : `${error.message}\n`}`)
    process.exit(status ?? 1)
  }
  const added = /^Packages: \+(\d+)/m.exec(stdout)?.[1]
  if (added !== undefined)
    console.log(`Installed ${added} packages in ${((performance.now() - begin) / 1000).toFixed(1)} s`)
}

/** The pnpm that runs this script, or the one that npx finds. */
function packageManager() {
  const running = process.env.npm_execpath ?? ''
  if (!/\bpnpm[^/\\]*$/.test(running)) return ['npx', '-y', 'pnpm@12']
  return /\.[cm]?js$/.test(running) ? [process.execPath, running] : [running]
}

/** The project, and the workspace packages that it depends on, also by way of others. */
function neededProjects(root, project) {
  const folders = new Map(listProjects(root).map((folder) => [readManifest(root, folder).name, folder]))
  const neededBy = (folder) =>
    Object.keys(readManifest(root, folder).dependencies ?? {}).flatMap((name) => folders.get(name) ?? [])
  const found = new Set([project])
  for (const folder of found) for (const needed of neededBy(folder)) found.add(needed)
  return [...found]
}

function readManifest(root, project) {
  return JSON.parse(readFileSync(join(root, project, 'package.json'), 'utf8'))
}
