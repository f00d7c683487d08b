// Writes the packages as npm gets them into .packed/node_modules: node scripts/pack.mjs
// Each door becomes one file of JavaScript, with a source map, and one of declarations; what doors share lies beside them.
// Dependencies stay outside. Packages find each other there, and what else they need by links, so that tests can run on them.
// The declarations are made of those that `pnpm types` writes.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundleDeclarations, bundleScripts } from './build/bundle.mjs'
import { linkConformance, listPackages, packedFolder, root, writePackage } from './build/packed.mjs'

rmSync(join(root, '.packed'), { recursive: true, force: true })
if (!existsSync(join(root, '.types/packages'))) throw new Error('run `pnpm types` first: it writes the declarations')

for (const found of listPackages()) {
  const folder = packedFolder(found.manifest.name)
  await bundleScripts(found, folder)
  await bundleDeclarations(found, folder)
  writePackage(found, folder)
}
linkConformance()
console.log('Packed into .packed/node_modules')
