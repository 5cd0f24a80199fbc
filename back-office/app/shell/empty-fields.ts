/** The names of the required inputs of a form that hold nothing. */
export const emptyFields = (form: HTMLFormElement): string[] =>
  [...form.querySelectorAll<HTMLInputElement>('input[required]')]
    .filter(({ value }) => value.trim() === '')
    .map(({ name }) => name);
