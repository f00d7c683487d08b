import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './markdown-files.mjs'

/** @typedef {import('./list-programs.mjs').Program} Program */

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  allowJs: true,
  outDir: 'out',
  rootDir: '.'
}

// What a page writes for the folder of the reader's application.
const someApplication = ['/path/to/loopback-app', join(root, 'examples/loopback3-app')]

// Pages speak of `app` where it does not matter which server it is.
const someServer = `import type { FastifyInstance } from 'fastify'\ndeclare global { const app: FastifyInstance }\n`

/** A block speaks of the server of its reader: it has no `app` itself. */
export function needsServer({ files, main }) {
  return /\bapp\./.test(files[main]) && !/\b(?:const|let) app\b/.test(files[main])
}

/** Examples of docstrings have a server that runs, pages only its type. */
export function usesShop(program) {
  return program.place.includes('.ts:') && needsServer(program)
}

/**
 * Writes programs into a folder in which all packages are installed, each into a folder of its own, and the
 * configurations that compile them. Those that add to the types of a package are compiled by themselves.
 * @param {string} folder empty
 * @param {Program[]} programs
 * @returns {string[]} paths of the configurations
 */
export function writePrograms(folder, programs) {
  linkPackages(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'some-server.d.ts'), someServer)
  copyFileSync(join(root, 'scripts/docs/shop.ts'), join(folder, 'shop.ts'))
  programs.forEach(({ files }, at) => writeFiles(join(folder, String(at)), files))
  const groups = new Map()
  programs.forEach((program, at) => {
    const key = groupOf(program, at)
    groups.set(key, [...(groups.get(key) ?? []), at])
  })
  return Array.from(groups.values(), (group) => writeConfiguration(folder, group, serverOf(programs[group[0]])))
}

function serverOf(program) {
  return usesShop(program) ? 'shop.ts' : 'some-server.d.ts'
}

function groupOf(program, at) {
  return /^declare module/m.test(Object.values(program.files)) ? at : serverOf(program)
}

/** Where the compiled module is that opens the server of examples. */
export function shopPath(folder) {
  return join(folder, 'out/shop.js')
}

/** Where the compiled main file of a program is. */
export function compiledPath(folder, { main }, at) {
  return join(folder, 'out', String(at), main.replace(/\.ts$/, '.js'))
}

function writeFiles(folder, files) {
  mkdirSync(folder)
  for (const [name, code] of Object.entries(files))
    writeFileSync(join(folder, name), code.replaceAll(...someApplication))
}

function writeConfiguration(folder, group, server) {
  const path = join(folder, `tsconfig.${group[0]}.json`)
  const include = [server, ...group.map((at) => `${at}/*`)]
  writeFileSync(path, JSON.stringify({ compilerOptions, include }))
  return path
}

/** Links every package as npm gets it, and everything that one of them has installed. */
function linkPackages(target) {
  linkAll(join(root, '.packed/node_modules'), target)
  for (const kind of ['packages', 'examples'])
    for (const name of readdirSync(join(root, kind))) linkAll(join(root, kind, name, 'node_modules'), target)
  linkAll(join(root, 'node_modules'), target)
}

function linkAll(modules, target) {
  for (const name of existsSync(modules) ? readdirSync(modules) : []) {
    if (name.startsWith('@')) linkAll(join(modules, name), join(target, name))
    else if (!name.startsWith('.')) link(join(modules, name), join(target, name))
  }
}

function link(path, target) {
  mkdirSync(dirname(target), { recursive: true })
  if (!existsSync(target)) symlinkSync(path, target)
}
