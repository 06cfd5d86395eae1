/** Languages used in exams and lessons; `name` is stored in the document. */
export const codeLanguages = [
  { name: 'bash', label: 'Bash' },
  { name: 'c', label: 'C' },
  { name: 'cpp', label: 'C++' },
  { name: 'css', label: 'CSS' },
  { name: 'html', label: 'HTML' },
  { name: 'java', label: 'Java' },
  { name: 'javascript', label: 'JavaScript' },
  { name: 'json', label: 'JSON' },
  { name: 'pascal', label: 'Pascal' },
  { name: 'php', label: 'PHP' },
  { name: 'python', label: 'Python' },
  { name: 'sql', label: 'SQL' },
  { name: 'vba', label: 'Visual Basic' },
] as const;
