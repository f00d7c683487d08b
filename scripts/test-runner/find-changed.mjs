import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { listProjects } from '../build/list-projects.mjs'

const specifiers = /(?:\bfrom\s*|\bimport\s*\(?\s*)['"]([^'"\n]+)['"]/g

/** What cannot be followed by imports. */
const reachesAll = /^(?:package\.json|pnpm-|tsconfig|scripts\/(?:build|test-runner|run-tests|build\.mjs))/

/**
 * Files that differ from a commit, those that git does not know included.
 * @param {string} root
 * @param {string} base
 * @returns {string[]} relative to `root`
 */
export function changedFiles(root, base) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n')
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')].filter(Boolean)
}

/**
 * Makes the test that says whether a change can reach a file, by the imports of sources and tests. A file that is no source
 * reaches what lies in its project, or the tests of scripts, which read pages; what all are built with reaches everything.
 * @param {string} root
 * @param {string[]} changed
 * @returns {(source: string) => boolean}
 */
export function reachedBy(root, changed) {
  if (changed.some((path) => reachesAll.test(path))) return () => true
  const reached = followBack(readUsers(root), changed)
  const folders = changed
    .filter((path) => !/\.tsx?$/.test(path))
    .map((path) => listProjects(root).find((project) => path.startsWith(`${project}/`)) ?? 'scripts')
  return (source) => reached.has(source) || folders.some((folder) => source.startsWith(`${folder}/`))
}

function followBack(users, changed) {
  const reached = new Set(changed)
  for (const path of reached) for (const user of users.get(path) ?? []) reached.add(user)
  return reached
}

/** Which files import each one. */
function readUsers(root) {
  const projects = listProjects(root)
  const doors = new Map(projects.flatMap((project) => doorsOf(root, project)))
  const imports = projects
    .flatMap((project) => listSources(root, project))
    .flatMap((path) =>
      Array.from(readFileSync(join(root, path), 'utf8').matchAll(specifiers), ([, to]) => [
        resolve(path, to, doors),
        path
      ])
    )
  const users = new Map()
  for (const [to, user] of imports) users.set(to, [...(users.get(to) ?? []), user])
  return users
}

function resolve(from, specifier, doors) {
  const project = from
    .split('/')
    .slice(0, /^(?:packages|examples)\//.test(from) ? 2 : 1)
    .join('/')
  if (specifier.startsWith('#src/')) return `${project}/src/${specifier.slice('#src/'.length)}`
  return specifier.startsWith('.') ? join(dirname(from), specifier) : doors.get(specifier)
}

function doorsOf(root, project) {
  const path = join(root, project, 'package.json')
  if (!existsSync(path)) return []
  const { name, exports = {} } = JSON.parse(readFileSync(path, 'utf8'))
  return Object.entries(exports).flatMap(([door, target]) =>
    target['@modelwire/source'] === undefined ? [] : [[join(name, door), join(project, target['@modelwire/source'])]]
  )
}

function listSources(root, project) {
  return ['src', 'test']
    .map((folder) => join(root, project, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}
