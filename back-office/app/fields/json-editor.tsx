import { history, historyKeymap, standardKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { Compartment, EditorState, type Extension, Transaction } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useMantineStyleNonce } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './json-field.module.css';
import { jsonFault } from './json-text.ts';

interface JsonEditorProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onBlur: () => void;
  /** The sentence for the fault of a text. Null: none. */
  readonly sentenceOf: (text: string) => string | null;
  readonly isReadOnly: boolean;
  /** Attributes of the element that takes the focus. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** The editor of a JsonField. It is a separate chunk, because CodeMirror is large. */
export default function JsonEditor(props: JsonEditorProps) {
  const { text, isReadOnly, attributes } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  latest.current = props;
  const nonce = useMantineStyleNonce()?.() ?? '';
  useEffect(() => {
    const { text: doc } = latest.current;
    const extensions = [
      ...FIXED,
      EditorView.cspNonce.of(nonce),
      linter(({ state }) => faultsOf(state.doc.toString(), latest.current), { delay: 400 }),
      EditorView.updateListener.of(({ docChanged, transactions, state }) => {
        const isTyped = !transactions.some((each) => each.annotation(Transaction.remote));
        if (docChanged && isTyped) latest.current.onText(state.doc.toString());
      }),
      EditorView.domEventHandlers({ blur: () => latest.current.onBlur() }),
      changing.of(changingOf(latest.current)),
    ];
    view.current = new EditorView({ doc, extensions, parent: host.current! });
    return () => view.current?.destroy();
  }, [nonce]);
  useEffect(() => {
    const { state } = view.current!;
    if (state.doc.toString() === text) return;
    const changes = { from: 0, to: state.doc.length, insert: text };
    view.current!.dispatch({ changes, annotations: Transaction.remote.of(true) });
  }, [text]);
  const said = JSON.stringify(attributes);
  useEffect(() => {
    const effects = changing.reconfigure(changingOf({ isReadOnly, attributes: JSON.parse(said) }));
    view.current!.dispatch({ effects });
  }, [isReadOnly, said]);
  return <div ref={host} className={classes['editor']} />;
}

/** The extensions that may change while the editor is shown. */
const changing = new Compartment();

const changingOf = ({ isReadOnly, attributes }: Pick<JsonEditorProps, 'isReadOnly' | 'attributes'>) => [
  EditorState.readOnly.of(isReadOnly),
  EditorView.contentAttributes.of(attributes),
];

function faultsOf(text: string, { sentenceOf, isReadOnly }: JsonEditorProps) {
  const fault = isReadOnly || text.trim() === '' ? null : jsonFault(text);
  if (!fault) return [];
  const from = Math.min(fault.offset, text.length);
  const to = Math.min(from + 1, text.length);
  return [{ from, to, severity: 'error' as const, message: sentenceOf(text) ?? '' }];
}

const KINDS: Readonly<Record<string, string | undefined>> = {
  propertyName: classes['name'],
  string: classes['string'],
  number: classes['number'],
  bool: classes['word'],
  null: classes['word'],
};

/** The CSS class of each token. The style sheet has the colours for light and dark mode. */
const highlighter = {
  style: (tags: readonly { toString(): string }[]): string | null =>
    tags.map((tag) => KINDS[String(tag)]).find(Boolean) ?? null,
};

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--mantine-color-text)', fontSize: 'var(--mantine-font-size-sm)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '20px' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--mantine-color-text)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--mantine-color-dimmed)', border: 'none' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--mantine-color-accent-light)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--mantine-color-red-light)' },
  '.cm-tooltip.cm-tooltip-lint': {
    backgroundColor: 'var(--look-card)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-sm)',
  },
});

/** Tab is not bound, so that the keyboard can leave the editor. */
const FIXED: readonly Extension[] = [
  lineNumbers(),
  history(),
  json(),
  indentOnInput(),
  bracketMatching(),
  syntaxHighlighting(highlighter),
  keymap.of([...standardKeymap, ...historyKeymap]),
  EditorView.lineWrapping,
  look,
];
