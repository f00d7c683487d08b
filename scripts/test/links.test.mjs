import { existsSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import t from 'tap'
import { findAnchors, findLinks } from '../docs/find-links.mjs'
import { readMarkdownFiles, root } from '../docs/markdown-files.mjs'

t.test('every link of every Markdown file leads somewhere', async (t) => {
  const files = readMarkdownFiles()
  t.ok(files.size > 20)
  const broken = [...files].flatMap(([path, text]) =>
    findLinks(text).flatMap((link) => {
      const problem = problemOf(link, path, files)
      return problem === undefined ? [] : [`${path}: ${link} (${problem})`]
    })
  )
  t.same(broken, [])
})

t.test('no heading stands twice on a page', async (t) => {
  for (const [path, text] of readMarkdownFiles()) t.notMatch([...findAnchors(text)].join(' '), /-1(?: |$)/, path)
})

t.test('links in code are none, the others are found in all forms', async (t) => {
  const text =
    'See [a](x.md#b), ![c](<d.png>), `[no](no.md)`, <https://e.org> and [f][g].\n\n[g]: h.md\n\n```md\n[n](n.md)\n```\n'
  t.same(findLinks(text), ['x.md#b', 'd.png', 'h.md', 'https://e.org'])
})

t.test('anchors are those that GitHub makes', async (t) => {
  const text =
    "# `Fast` & safe: it's 1.0\n\n```sh\n# no heading\n```\n\n## HEAD and [OPTIONS](x.md)\n\n## Same\n\n## Same\n"
  t.same([...findAnchors(text)], ['fast--safe-its-10', 'head-and-options', 'same', 'same-1'])
})

t.test('a link to nothing, to a heading that is not there and out of the repository is told', async (t) => {
  const files = new Map([['docs/a.md', '# One\n']])
  t.equal(problemOf('#one', 'docs/a.md', files), undefined)
  t.equal(problemOf('#two', 'docs/a.md', files), 'no such heading')
  t.equal(problemOf('b.md', 'docs/a.md', files), 'no such file')
  t.equal(problemOf('../../b.md', 'docs/a.md', files), 'outside of the repository')
  t.equal(problemOf('http:/x y', 'docs/a.md', files), 'no address')
  t.equal(problemOf('', 'docs/a.md', files), 'empty')
})

/** What is wrong with a link. Addresses of the web are looked at by their form alone. */
function problemOf(link, from, files) {
  if (link === '') return 'empty'
  if (/^[a-z][a-z\d+.-]*:/i.test(link)) return /^(?:https?:\/\/|mailto:)[^\s]+$/.test(link) ? undefined : 'no address'
  const [file, anchor] = link.split('#')
  const path = file === '' ? from : normalize(join(dirname(from), decodeURI(file)))
  if (path.startsWith('..')) return 'outside of the repository'
  if (!files.has(path) && !existsSync(join(root, path))) return 'no such file'
  if (anchor === undefined) return undefined
  const text = files.get(path) ?? files.get(readmeOf(path))
  return text !== undefined && findAnchors(text).has(anchor) ? undefined : 'no such heading'
}

function readmeOf(path) {
  const isFolder = existsSync(join(root, path)) && statSync(join(root, path)).isDirectory()
  return isFolder ? join(path, 'README.md') : path
}
