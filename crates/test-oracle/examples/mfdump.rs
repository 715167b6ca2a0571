use test_oracle::castle::models::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mix = match a[2].as_str() {
        "gltf" => Mix::Only(Kind::Gltf),
        "obj" => Mix::Only(Kind::Obj),
        "x3d" => Mix::Only(Kind::X3d),
        _ => Mix::All,
    };
    let o = Options { frames: None, mix, even: a[3] == "even", simple: a.len() > 5 };
    let (g, m) = models(a[1].parse().unwrap(), o);
    let dir = std::path::Path::new(&a[4]);
    for (n, b) in &g.files {
        let p = dir.join(n);
        std::fs::create_dir_all(p.parent().unwrap()).unwrap();
        std::fs::write(p, b).unwrap();
    }
    std::fs::create_dir_all(dir).unwrap();
    std::fs::write(dir.join("models.castle-anim-frames"), &g.text).unwrap();
    println!("{m:?}");
}
