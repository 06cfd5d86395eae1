/** Returns a valid PDF with one empty page; a different note gives a different file. */
export function pdf(note: string): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<>>>>',
  ];
  const parts = [`%PDF-1.4\n% ${note}\n`];
  const written = () => Buffer.byteLength(parts.join(''));
  const places = objects.map((object, index) => {
    const at = written();
    parts.push(`${index + 1} 0 obj\n${object}\nendobj\n`);
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = written();
  const size = objects.length + 1;
  parts.push(`xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`);
  return Buffer.from(parts.join(''));
}
