const LINK = 'style="color:#595959;"';

/** What marketing ends with where its template has no link for declining it. */
export const HTML_FOOTER = [
  '<div style="padding:24px;font-family:Arial,sans-serif;font-size:12px;line-height:18px;',
  'text-align:center;color:#595959;">',
  `<a href="{{ unsubscribe_url }}" ${LINK}>Unsubscribe</a> · `,
  `<a href="{{ preferences_url }}" ${LINK}>Preferences</a></div>`,
].join('');

export const TEXT_FOOTER = '\n\nUnsubscribe: {{ unsubscribe_url }}\nPreferences: {{ preferences_url }}\n';

/** HTML with something more at the end of its body. */
export function withFooter(html: string, footer: string): string {
  const end = html.toLowerCase().lastIndexOf('</body');
  return end < 0 ? html + footer : html.slice(0, end) + footer + html.slice(end);
}
