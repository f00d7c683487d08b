// The rules of our style that oxlint does not bring: each is one small function over the syntax tree.

import { readFileSync } from 'node:fs'

const vagueName = /(^|[/-])(utils?|helpers?|common|manager|base)\.[cm]?[jt]s$/

const docstringOnExport = {
  create(context) {
    const check = (node) => {
      const declaration = node.declaration
      if (declaration === null || declaration.type === 'Identifier') return
      if (isLaterOverload(node) || isDerivedType(context, declaration) || hasDocstring(context, node)) return
      context.report({ node, message: 'Start an export with a /** docstring */.' })
    }
    return { ExportNamedDeclaration: check, ExportDefaultDeclaration: check }
  }
}

const reasonBesideAssertion = {
  create(context) {
    return {
      TSAsExpression(node) {
        if (isHarmless(node) || hasCommentBeside(context, node)) return
        context.report({ node, message: 'Say in a comment, beside or above, why this `as` holds.' })
      }
    }
  }
}

const noInnerImport = {
  create(context) {
    return {
      ImportDeclaration(node) {
        const [, name, door] = /^@modelwire\/([^/]+)\/(.+)$/.exec(node.source.value) ?? []
        if (name === undefined || doorsOf(name).includes(`./${door}`)) return
        context.report({ node, message: 'Import what the other package exports, never an inner file of it.' })
      }
    }
  }
}

const connectorDoor = {
  create(context) {
    return {
      ImportDeclaration(node) {
        if (node.source.value !== '@modelwire/core/plugin') return
        context.report({ node, message: 'A connector imports from @modelwire/core and @modelwire/core/connector.' })
      }
    }
  }
}

const noExportStar = {
  create(context) {
    return {
      ExportAllDeclaration(node) {
        context.report({ node, message: 'Name what is exported, one name after the other.' })
      }
    }
  }
}

const timers = new Set(['setTimeout', 'setInterval'])

const isTimerModule = (name) => /^(node:)?timers(\/promises)?$/.test(name)

// Tests wait by `until` of @modelwire/test-waits, or say by `takeTime` what a time is for.
const noSleep = {
  create(context) {
    const report = (node) =>
      context.report({ node, message: 'Wait for what happens: `until`, or `takeTime` with its reason.' })
    return {
      CallExpression(node) {
        const name = node.callee.type === 'MemberExpression' ? node.callee.property.name : node.callee.name
        if (timers.has(name)) report(node)
      },
      ImportDeclaration(node) {
        if (!isTimerModule(node.source.value)) return
        if (node.specifiers.some((one) => one.imported?.name !== 'setImmediate')) report(node)
      }
    }
  }
}

// Words of messages and docstrings that make readers stumble, and better ones.
const plainWords = [
  [/(?<!\bthere )\b(is|are) no (?!longer\b|more\b)[a-z]/i, 'invalid, unknown, or "is not a"'],
  [/\balone[.:;]?$/i, 'only'],
  [/\b(hears?|heard) of\b/i, 'receives, reports'],
  [/\b(has|have|had) to be\b/i, 'must be'],
  [/\b(is|are) told\b/i, 'receives, gets'],
  [/\bcannot be reached\b/i, 'cannot connect to'],
  [/\btak(e|es|en|ing) (its|their) place\b/i, 'replaces'],
  [/\bin (its|their) place\b/i, 'instead'],
  [/\b(stands?|goes on|go on) (behind|beside|under)\b/i, 'is after, continues after'],
  [/\banother (one )?than\b|\b(is|are) another[.;]?$/i, 'differs, does not match'],
  [/\bsomething else than\b|\b(is|are|be) other than\b/i, 'is not'],
  [/\btak(e|es|en|ing) part in\b/i, 'is part of, uses'],
  [/\bfor ever\b/i, 'forever, indefinitely'],
  [/\bwithout a word\b/i, 'silently'],
  [/\b(is|are) carried out\b/i, 'runs, is executed'],
  [/\b(it|they) lacks?\b/i, 'has no, is missing'],
  [/\bturns? out to\b/i, 'what is found'],
  [/\bso many (bytes|milliseconds|seconds|decimals|records)\b/i, 'the given number of'],
  [/\bof so (few|many)\b/i, 'of only, of at least'],
  [/\b(is|are) made (of|with|by)\.$/i, 'the noun: parts, tools, source']
]

const betterWords = (text) => plainWords.find(([pattern]) => pattern.test(text))?.[1]

const plainMessages = {
  create(context) {
    const check = (node, text) => {
      const better = betterWords(text)
      if (better !== undefined) context.report({ node, message: `Say it in plain words: ${better}.` })
    }
    return {
      Literal(node) {
        if (typeof node.value === 'string') check(node, node.value)
      },
      TemplateLiteral(node) {
        check(node, node.quasis.map(({ value }) => value.cooked).join('…'))
      }
    }
  }
}

// The comments of what leaves a file: exports, and the members of types.
const plainDocstrings = {
  create(context) {
    const check = (node) => {
      const comment = context.sourceCode.getCommentsBefore(node).at(-1)
      if (comment?.type !== 'Block' || !comment.value.startsWith('*')) return
      const better = betterWords(comment.value.replaceAll(/\s+\*?\s*/g, ' ').trim())
      if (better !== undefined) context.report({ node, message: `Say it in plain words: ${better}.` })
    }
    return {
      ExportNamedDeclaration: check,
      ExportDefaultDeclaration: check,
      TSPropertySignature: check,
      TSMethodSignature: check
    }
  }
}

const noVagueFileName = {
  create(context) {
    return {
      Program(node) {
        if (!vagueName.test(context.filename)) return
        context.report({ node, message: 'Name the file after the one thing it exports.' })
      }
    }
  }
}

export default {
  meta: { name: 'style' },
  rules: {
    'docstring-on-export': docstringOnExport,
    'reason-beside-assertion': reasonBesideAssertion,
    'no-inner-import': noInnerImport,
    'connector-door': connectorDoor,
    'no-export-star': noExportStar,
    'no-sleep': noSleep,
    'plain-messages': plainMessages,
    'plain-docstrings': plainDocstrings,
    'no-vague-file-name': noVagueFileName
  }
}

// The paths under which a package of this repository may be imported, as its package.json says.
function doorsOf(name) {
  const { exports } = JSON.parse(readFileSync(new URL(`../../packages/${name}/package.json`, import.meta.url), 'utf8'))
  return Object.keys(exports)
}

// The docstring of an overloaded function stands on its first signature.
function isLaterOverload(node) {
  const name = node.declaration.id?.name
  const siblings = node.parent.body
  const before = siblings[siblings.indexOf(node) - 1]?.declaration
  return name !== undefined && before?.type === 'TSDeclareFunction' && before.id?.name === name
}

// `type Page = Static<typeof PageSchema>` has nothing to say that the schema did not.
function isDerivedType(context, declaration) {
  if (declaration.type !== 'TSTypeAliasDeclaration') return false
  return context.sourceCode.getText(declaration.typeAnnotation).includes('typeof ')
}

function hasDocstring(context, node) {
  const comment = context.sourceCode.getCommentsBefore(node).at(-1)
  return comment?.type === 'Block' && comment.value.startsWith('*')
}

// `as const` and `as unknown` claim nothing.
function isHarmless({ typeAnnotation }) {
  if (typeAnnotation.type === 'TSUnknownKeyword') return true
  return typeAnnotation.type === 'TSTypeReference' && typeAnnotation.typeName.name === 'const'
}

// The line of the `as`, or the comment block that ends on the line above its statement.
function hasCommentBeside(context, node) {
  const first = statementOf(node).loc.start.line
  return context.sourceCode
    .getAllComments()
    .some((comment) => comment.loc.end.line >= first - 1 && comment.loc.start.line <= node.loc.end.line)
}

function statementOf(node) {
  let current = node
  while (current.parent && !/Statement$|Declaration$|PropertyDefinition$|^Property$/.test(current.type)) {
    current = current.parent
  }
  return current
}
