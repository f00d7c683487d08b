import { provideLoopBack } from '@modelwire/boot'
import { readFileSync } from 'node:fs'
import Module from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'

type Resolve = (this: unknown, request: string, parent: { filename?: string } | null, ...more: unknown[]) => string

/** Folders of a checkout whose files are not those of the package. */
const besides = new Set(['test', 'node_modules', '..'])

/** What an application would require for a path into the package; undefined for any other path. */
function publicName(checkout: string, name: string, path: string): string | undefined {
  const inside = relative(checkout, path)
  if (besides.has(inside.split(sep)[0] ?? '')) return undefined
  const isMain = ['', 'index', 'index.js', 'lib', `lib${sep}index.js`].includes(inside)
  return isMain ? name : `${name}/${inside.split(sep).join('/')}`
}

/** Gives the tests of a checkout our modules wherever they require the package that they belong to, or another one of LoopBack. */
export function provideInstead(checkout: string): void {
  const { name } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { name: string } // npm requires it
  provideLoopBack({ root: checkout, dir: join(checkout, 'test') })
  const resolveWithin = Reflect.get(Module, '_resolveFilename') as Resolve // Node has it
  const redirect: Resolve = function (this: unknown, request, parent, ...more) {
    const file = parent?.filename
    const isPath = /^\.{1,2}(?:\/|$)/.test(request) && file?.startsWith(join(checkout, 'test') + sep) === true
    const wanted = isPath ? publicName(checkout, name, resolve(dirname(file), request)) : undefined
    return resolveWithin.call(this, wanted ?? request, parent, ...more)
  }
  Reflect.set(Module, '_resolveFilename', redirect)
}
